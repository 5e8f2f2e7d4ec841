-- The library of Noughts: one SQLite file with everything that a person keeps. Any SQLite tool can read it:
--
--     SELECT position, move, number FROM remembered WHERE name = 'my first' ORDER BY number;
--
-- and what it remembered after 100 games, or generations, where earlier memories are kept:
--
--     SELECT position, move, sum(number) FROM changed WHERE name = 'my first' AND rounds <= 100
--     GROUP BY position, move HAVING sum(number) > 0;
--
-- Times are in UTC, as 2026-01-31T12:34:56.789012+00:00.

PRAGMA application_id = 0x6E6F7567; -- "noug"
PRAGMA user_version = 4;

-- A learner under a name.
CREATE TABLE IF NOT EXISTS save (
    id        INTEGER PRIMARY KEY,
    name      TEXT NOT NULL,
    learner   TEXT NOT NULL,
    game      TEXT NOT NULL,
    preset    TEXT NOT NULL,
    settings  TEXT NOT NULL,    -- a JSON object
    seed      INTEGER NOT NULL CHECK (seed >= 0),
    generator TEXT NOT NULL,    -- the state of the random generator, a JSON array
    stats     TEXT NOT NULL,    -- the running statistics, a JSON object
    created   TEXT NOT NULL,
    updated   TEXT NOT NULL,
    deleted   TEXT,             -- when it was deleted; NULL while it is listed
    opponent  TEXT NOT NULL DEFAULT 'self', -- whom it trained against last: 'random', 'human', 'save:my first'
    bulk      BLOB NOT NULL DEFAULT x'' -- a population: one byte an allele, genome after genome, packed by zlib
) STRICT;

CREATE UNIQUE INDEX IF NOT EXISTS save_name ON save (name) WHERE deleted IS NULL;

-- What a save knows: one number for each (position, move) pair, and how often that move was chosen in training, where the
-- learner counts that. Pairs with 0 for both are left out.
CREATE TABLE IF NOT EXISTS memory (
    save      INTEGER NOT NULL REFERENCES save (id) ON DELETE CASCADE,
    position  TEXT NOT NULL,    -- rows from the top, then the side to move: 'XO./.X./... O'
    move      TEXT NOT NULL,    -- column letter from the left, row digit from the bottom: 'b2'
    number    INTEGER NOT NULL CHECK (number >= 0),
    times     INTEGER NOT NULL DEFAULT 0 CHECK (times >= 0),
    PRIMARY KEY (save, position, move),
    CHECK (number > 0 OR times > 0)
) STRICT, WITHOUT ROWID;

-- A save as it was after chosen numbers of rounds: games, or the generations of a genetic algorithm. What a failure
-- database held at one of them are its numbers up to the entries of that moment.
CREATE TABLE IF NOT EXISTS checkpoint (
    save      INTEGER NOT NULL REFERENCES save (id) ON DELETE CASCADE,
    rounds    INTEGER NOT NULL,
    stats     TEXT NOT NULL,    -- a JSON object
    kept      INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1)), -- 1 where `change` tells of the memory as well
    generator TEXT NOT NULL DEFAULT '[]', -- its state then, a JSON array; empty where it was not kept
    opponent  TEXT NOT NULL DEFAULT 'self',
    PRIMARY KEY (save, rounds)
) STRICT, WITHOUT ROWID;

-- The memory of a save at those checkpoints that kept it, as the difference to the one kept before; of the first of them
-- to an empty memory. The memory after so many rounds is the sum of all changes up to then.
CREATE TABLE IF NOT EXISTS change (
    save      INTEGER NOT NULL,
    rounds    INTEGER NOT NULL,
    position  TEXT NOT NULL,
    move      TEXT NOT NULL,
    number    INTEGER NOT NULL,
    times     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (save, rounds, position, move),
    FOREIGN KEY (save, rounds) REFERENCES checkpoint (save, rounds) ON DELETE CASCADE,
    CHECK (number <> 0 OR times <> 0)
) STRICT, WITHOUT ROWID;

-- Finished games in which a person played.
CREATE TABLE IF NOT EXISTS game (
    id        INTEGER PRIMARY KEY,
    played    TEXT NOT NULL,
    game      TEXT NOT NULL,
    first     TEXT NOT NULL,    -- who played: 'human', 'perfect', 'save:my first'
    second    TEXT NOT NULL,
    moves     TEXT NOT NULL,    -- names with spaces between: 'b2 a3 c1'
    outcome   TEXT NOT NULL CHECK (outcome IN ('first_wins', 'second_wins', 'draw'))
) STRICT;

CREATE VIEW IF NOT EXISTS remembered (name, position, move, number, times) AS
    SELECT save.name, memory.position, memory.move, memory.number, memory.times
    FROM memory JOIN save ON save.id = memory.save
    WHERE save.deleted IS NULL;

CREATE VIEW IF NOT EXISTS changed (name, rounds, position, move, number, times) AS
    SELECT save.name, change.rounds, change.position, change.move, change.number, change.times
    FROM change JOIN save ON save.id = change.save
    WHERE save.deleted IS NULL;
