-- The library of Noughts: one SQLite file with all saves and finished games. docs/formats.md describes it.
-- Any SQLite tool can read it:
--
--     SELECT position, move, number FROM remembered WHERE name = 'my first' ORDER BY number;
--
-- and the memory after 100 rounds (games, or generations), if there are checkpoints:
--
--     SELECT position, move, sum(number) FROM changed WHERE name = 'my first' AND rounds <= 100
--     GROUP BY position, move HAVING sum(number) > 0;
--
-- Times are in UTC, as 2026-01-31T12:34:56.789012+00:00.

PRAGMA application_id = 0x6E6F7567; -- "noug"
PRAGMA user_version = 1;

-- The views come before the tables: if a view came last, SQLite's integrity_check would not check the free pages.
CREATE VIEW remembered (name, position, move, number, times) AS
    SELECT save.name, memory.position, memory.move, memory.number, memory.times
    FROM memory JOIN save ON save.id = memory.save
    WHERE save.deleted IS NULL;

CREATE VIEW changed (name, rounds, position, move, number, times) AS
    SELECT save.name, change.rounds, change.position, change.move, change.number, change.times
    FROM change JOIN save ON save.id = change.save
    WHERE save.deleted IS NULL;

-- A learner under a name.
CREATE TABLE save (
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
    deleted   TEXT,             -- the time of deletion; NULL for a save that is not deleted
    opponent  TEXT NOT NULL,    -- the last training opponent: 'random', 'human', 'save:my first'
    bulk      BLOB NOT NULL,    -- a population: one byte for each gene, strategy after strategy, compressed by zlib
    digest    TEXT NOT NULL     -- the SHA-256 checksum of the save's content
) STRICT;

CREATE UNIQUE INDEX save_name ON save (name) WHERE deleted IS NULL;

-- The memory of a save: one number for each (position, move) pair, and the times that the move was chosen in training, if
-- the learner counts them. Pairs with 0 for both are left out.
CREATE TABLE memory (
    save      INTEGER NOT NULL REFERENCES save (id) ON DELETE CASCADE,
    position  TEXT NOT NULL,    -- rows from the top, then the side to move: 'XO./.X./... O'
    move      TEXT NOT NULL,    -- column letter from the left, row digit from the bottom: 'b2'
    number    INTEGER NOT NULL CHECK (number >= 0),
    times     INTEGER NOT NULL CHECK (times >= 0),
    PRIMARY KEY (save, position, move),
    CHECK (number > 0 OR times > 0)
) STRICT, WITHOUT ROWID;

-- The history of a save: a row for each of certain numbers of rounds (games, or generations of a genetic algorithm). For
-- a failure database, its memory at that point consists of the numbers up to its number of entries then.
CREATE TABLE checkpoint (
    save      INTEGER NOT NULL REFERENCES save (id) ON DELETE CASCADE,
    rounds    INTEGER NOT NULL,
    stats     TEXT NOT NULL,    -- a JSON object
    kept      INTEGER NOT NULL CHECK (kept IN (0, 1)), -- 1 if change or parameters holds the memory
    generator TEXT NOT NULL,    -- the state of the random generator, a JSON array; empty if not stored
    opponent  TEXT NOT NULL,
    PRIMARY KEY (save, rounds)
) STRICT, WITHOUT ROWID;

-- The memory at each checkpoint with kept = 1, as the difference to the one before, and at the first one to a memory of
-- zeros. So the memory after some rounds is the sum of all changes up to that number.
CREATE TABLE change (
    save      INTEGER NOT NULL,
    rounds    INTEGER NOT NULL,
    position  TEXT NOT NULL,
    move      TEXT NOT NULL,
    number    INTEGER NOT NULL,
    times     INTEGER NOT NULL,
    PRIMARY KEY (save, rounds, position, move),
    FOREIGN KEY (save, rounds) REFERENCES checkpoint (save, rounds) ON DELETE CASCADE,
    CHECK (number <> 0 OR times <> 0)
) STRICT, WITHOUT ROWID;

-- The memory of a save that is no table over moves, but parameters, such as the weights of a network: at each checkpoint
-- with kept = 1, and as it is now. Each parameter is an integer of 32 bits. The lowest bytes of all come first, then the
-- next ones; compressed by zlib.
CREATE TABLE parameters (
    save      INTEGER NOT NULL REFERENCES save (id) ON DELETE CASCADE,
    rounds    INTEGER NOT NULL,
    numbers   BLOB NOT NULL,
    PRIMARY KEY (save, rounds)
) STRICT, WITHOUT ROWID;

-- The finished games of people.
CREATE TABLE game (
    id        INTEGER PRIMARY KEY,
    played    TEXT NOT NULL,
    game      TEXT NOT NULL,
    first     TEXT NOT NULL,    -- the player of each side: 'human', 'perfect', 'save:my first'
    second    TEXT NOT NULL,
    moves     TEXT NOT NULL,    -- names with spaces between: 'b2 a3 c1'
    outcome   TEXT NOT NULL CHECK (outcome IN ('first_wins', 'second_wins', 'draw'))
) STRICT;
