/// Views for people and for tools that don't know the tables: names instead of numbers, times as text.
enum StoreViews {
    static let all = list + underWay + records

    private static let list = """
        CREATE VIEW net_list AS
            SELECT i.id, \(moment("i.started_at")) AS time, \(kind("i.kind")) AS kind, \(outcome) AS outcome, i.status,
                \(name("i.method")) AS method, i.duration_us / 1e3 AS milliseconds, i.attempts, i.retries,
                \(name("i.operation")) AS operation, \(name("i.host")) AS host, i.url, \(name("i.error")) AS error,
                i.message, \(name("i.cache")) AS cache, \(name("i.cache_reason")) AS cache_reason, i.request_bytes,
                i.response_bytes, \(level) AS level, i.detail, i.run, \(uuid("i.uid")) AS uid, \(uuid("i.owner")) AS owner,
                n.is_pinned, n.comment
            FROM net_item AS i LEFT JOIN net_note AS n ON n.item = i.id ORDER BY i.id DESC;

        """

    private static let underWay = """
        CREATE VIEW net_under_way AS
            SELECT \(moment("i.started_at")) AS time, \(kind("i.kind")) AS kind, \(name("i.method")) AS method, i.status,
                i.attempts, \(name("i.operation")) AS operation, \(name("i.host")) AS host, i.url, i.run, r.process, r.pid,
                \(uuid("i.uid")) AS uid
            FROM net_open AS i JOIN net_run AS r ON r.id = i.run ORDER BY i.started_at DESC;

        """

    /// One row for each entry, with its last retry, in the columns of a single-table activity log.
    private static let records = """
        CREATE VIEW net_record AS
            SELECT i.id AS id, \(uuid("i.uid")) AS requestID,
                CASE i.kind WHEN 1 THEN 'http' WHEN 2 THEN 'websocket' WHEN 3 THEN 'job' ELSE 'log' END AS source,
                coalesce(\(outcome), \(level)) AS kind,
                coalesce(\(name("i.name")), \(name("i.operation")), \(name("i.method")) || ' ' || i.url, i.url, i.message)
                    AS title,
                coalesce(i.detail, i.message) AS detail, \(name("i.method")) AS method, i.url AS url,
                i.status AS statusCode, i.duration_us / 1e3 AS durationMs,
                (SELECT max(a.number) + 1 FROM net_attempt AS a WHERE a.item = i.id AND a.retry_delay_us IS NOT NULL)
                    AS retryAttempt,
                (SELECT a.retry_delay_us / 1e3 FROM net_attempt AS a
                    WHERE a.item = i.id AND a.retry_delay_us IS NOT NULL ORDER BY a.number DESC LIMIT 1) AS retryDelayMs,
                \(name("i.error")) || coalesce(': ' || i.message, '') AS errorSummary,
                \(moment("i.started_at + coalesce(i.duration_us, 0)")) AS occurredAt,
                \(kind("i.kind")) || coalesce('.' || \(outcome), '') AS rawValue
            FROM net_item AS i ORDER BY i.id DESC;

        """

    private static let outcome =
        "CASE i.outcome WHEN 1 THEN 'completed' WHEN 2 THEN 'rejected' WHEN 3 THEN 'failed' WHEN 4 THEN 'cancelled' "
        + "WHEN 5 THEN 'cutOff' END"

    private static let level =
        "CASE i.level WHEN 0 THEN 'trace' WHEN 1 THEN 'debug' WHEN 2 THEN 'info' WHEN 3 THEN 'notice' WHEN 4 THEN 'warning' "
        + "WHEN 5 THEN 'error' WHEN 6 THEN 'critical' END"

    private static func kind(_ column: String) -> String {
        "CASE \(column) WHEN 1 THEN 'call' WHEN 2 THEN 'socket' WHEN 3 THEN 'job' WHEN 4 THEN 'log' END"
    }

    private static func name(_ column: String) -> String { "(SELECT text FROM net_name WHERE id = \(column))" }

    private static func moment(_ column: String) -> String {
        "strftime('%Y-%m-%d %H:%M:%f', (\(column)) / 1e6, 'unixepoch')"
    }

    private static func uuid(_ column: String) -> String {
        let digits = "lower(hex(\(column)))"
        let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(\(digits), \($0), \($1))" }
        return "CASE WHEN \(column) IS NOT NULL THEN " + parts.joined(separator: " || '-' || ") + " END"
    }
}
