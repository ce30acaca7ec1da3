-- What is shown of games, with a state by name (`bot/projections.py`); before, the state followed from which columns were
-- empty, and the kind from how a text began. Older processes that still run can't know the new table, so the old one
-- goes: what they try to store fails as a whole, until they make way. They can note nothing more there while it is
-- copied.
LOCK TABLE games, projections;

CREATE TABLE shown (
    game BIGINT NOT NULL REFERENCES games (number),
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    "user" BIGINT NOT NULL,
    state TEXT NOT NULL,
    due BIGINT NOT NULL,
    version BIGINT NOT NULL,
    channel BIGINT,
    message BIGINT,
    PRIMARY KEY (game, kind, key, "user")
);

INSERT INTO shown
    SELECT game, what, '', 0,
        CASE WHEN message IS NOT NULL THEN 'posted'
            WHEN what IN ('trouble', 'commitment') AND channel IS NULL THEN 'posting'
            WHEN what = 'trouble' OR what <> 'search' AND shown >= due THEN 'covered' ELSE 'wanted' END,
        due, shown, channel, CASE WHEN channel IS NOT NULL THEN coalesce(message, 0) END
    FROM projections
    WHERE what IN ('panel', 'commitment', 'closing', 'seed', 'film', 'search', 'trouble');

INSERT INTO shown
    SELECT game, kind, substr(what, length(kind) + 2), 0,
        CASE WHEN kind IN ('tag', 'barred') OR message IS NULL AND channel IS NOT NULL THEN 'covered'
            WHEN message IS NOT NULL THEN 'posted' ELSE 'posting' END,
        due, shown, channel, CASE WHEN channel IS NOT NULL THEN coalesce(message, 0) END
    FROM projections JOIN (
        SELECT 'turn' AS kind UNION SELECT 'ping' UNION SELECT 'idle' UNION SELECT 'tag' UNION SELECT 'barred'
    ) AS kinds ON what LIKE kind || ':%';

INSERT INTO shown
    SELECT game, kind, '', CAST(substr(what, length(kind) + 2) AS BIGINT),
        CASE WHEN message IS NOT NULL OR kind = 'room' AND channel IS NOT NULL THEN 'posted'
            WHEN kind = 'room' THEN 'posting' WHEN kind = 'closed' AND channel IS NULL OR shown < due THEN 'wanted'
            ELSE 'covered' END,
        due, shown, channel, CASE WHEN channel IS NOT NULL THEN coalesce(message, 0) END
    FROM projections JOIN (
        SELECT 'hand' AS kind UNION SELECT 'reminder' UNION SELECT 'room' UNION SELECT 'closed'
    ) AS kinds ON what LIKE kind || ':%';

-- 'asked:USER:OCCASION'
INSERT INTO shown
    SELECT game, 'asked', substr(ltrim(told, '0123456789'), 2),
        CAST(substr(told, 1, length(told) - length(ltrim(told, '0123456789'))) AS BIGINT),
        CASE WHEN message IS NULL THEN 'posting' ELSE 'posted' END,
        due, shown, channel, CASE WHEN channel IS NOT NULL THEN coalesce(message, 0) END
    FROM (SELECT substr(what, 7) AS told, projections.* FROM projections WHERE what LIKE 'asked:%') AS found;

-- 'notified:MESSAGE:TOPIC:USER'
INSERT INTO shown
    SELECT game, 'notified', substr(told, 2, length(told) - 2), person, 'covered', max(due), max(shown), 0, max(message)
    FROM (
        SELECT game, due, shown, ltrim(rtrim(substr(what, 10), '0123456789'), '0123456789') AS told,
            CAST(substr(what, length(rtrim(what, '0123456789')) + 1) AS BIGINT) AS person,
            CAST(substr(what, 10, length(what) - 9 - length(ltrim(substr(what, 10), '0123456789'))) AS BIGINT)
                AS message
        FROM projections WHERE what LIKE 'notified:%'
    ) AS found
    WHERE length(told) > 2
    GROUP BY game, told, person;

-- 'owed:TOPIC:NAME:USER'
INSERT INTO shown
    SELECT game, 'owed', replace(replace(replace(substr(told, 1, length(told) - 1), ':ping:', ' ping:'),
            ':idle:', ' idle:'), ':closed:', ' closed:'),
        CAST(substr(what, length(rtrim(what, '0123456789')) + 1) AS BIGINT), 'covered', due, shown, NULL, NULL
    FROM (
        SELECT projections.*, substr(rtrim(what, '0123456789'), 6) AS told FROM projections WHERE what LIKE 'owed:%'
    ) AS found;

DROP TABLE projections;
CREATE INDEX shown_due ON shown (game) WHERE version < due;
