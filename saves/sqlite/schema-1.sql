-- The library of Noughts: one SQLite file with everything that a person keeps. Any SQLite tool can read it:
--
--     SELECT position, move, number FROM remembered WHERE name = 'my first' ORDER BY number;
--
-- Times are in UTC, as 2026-01-31T12:34:56.789012+00:00.

PRAGMA application_id = 0x6E6F7567; -- "noug"
PRAGMA user_version = 1;

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
    deleted   TEXT              -- when it was deleted; NULL while it is listed
) STRICT;

CREATE UNIQUE INDEX IF NOT EXISTS save_name ON save (name) WHERE deleted IS NULL;

-- What a save knows: one number for each (position, move) pair, those that are 0 left out.
CREATE TABLE IF NOT EXISTS memory (
    save      INTEGER NOT NULL REFERENCES save (id) ON DELETE CASCADE,
    position  TEXT NOT NULL,    -- rows from the top, then the side to move: 'XO./.X./... O'
    move      TEXT NOT NULL,    -- column letter from the left, row digit from the bottom: 'b2'
    number    INTEGER NOT NULL CHECK (number > 0),
    PRIMARY KEY (save, position, move)
) STRICT, WITHOUT ROWID;

-- The statistics of a save as they were after chosen numbers of games. What a failure database held at one of them are
-- its numbers up to the entries of that moment.
CREATE TABLE IF NOT EXISTS checkpoint (
    save      INTEGER NOT NULL REFERENCES save (id) ON DELETE CASCADE,
    games     INTEGER NOT NULL,
    stats     TEXT NOT NULL,    -- a JSON object
    PRIMARY KEY (save, games)
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

CREATE VIEW IF NOT EXISTS remembered (name, position, move, number) AS
    SELECT save.name, memory.position, memory.move, memory.number
    FROM memory JOIN save ON save.id = memory.save
    WHERE save.deleted IS NULL;
