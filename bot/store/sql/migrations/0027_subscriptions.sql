-- Who has asked to be told of a server's new tables: what they chose, as JSON, when they were last told, and of tables
-- up to which number. User 0 is a role of the server. Each version reads what it knows.
CREATE TABLE subscriptions (
    run TEXT NOT NULL,
    guild BIGINT NOT NULL,
    "user" BIGINT NOT NULL,
    choices TEXT NOT NULL,
    told DOUBLE PRECISION NOT NULL,
    through BIGINT NOT NULL,
    PRIMARY KEY (run, guild, "user")
);
