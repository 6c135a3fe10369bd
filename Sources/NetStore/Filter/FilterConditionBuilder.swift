/// Turns the tree of a filter into SQL.
struct FilterConditionBuilder {
    /// Microseconds since 1970.
    let now: Int64

    /// Moves negations to the terms (De Morgan): only there NULL must be distinguished from true.
    func condition(_ node: FilterNode, isNegated: Bool = false) -> FilterCondition {
        switch node {
        case .every: return isNegated ? .nothing : .every
        case .nothing: return isNegated ? .every : .nothing
        case .term(let term):
            let condition = condition(term)
            return isNegated ? condition.negated : condition
        case .not(let inner): return condition(inner, isNegated: !isNegated)
        case .both(let members):
            let conditions = members.map { condition($0, isNegated: isNegated) }
            return isNegated ? .any(conditions) : .all(conditions)
        case .either(let members):
            let conditions = members.map { condition($0, isNegated: isNegated) }
            return isNegated ? .all(conditions) : .any(conditions)
        }
    }

    private func condition(_ term: FilterTerm) -> FilterCondition {
        switch term {
        case .flag(let flag): return condition(flag)
        case .text(let field, let pattern): return condition(field, pattern)
        case .status(let range): return status(range)
        case .slower(let limit):
            // SQLite uses the partial index only with a literal.
            let isIndexed = limit >= 500_000
            return comparison(
                "i.duration_us >= ?" + (isIndexed ? " AND i.duration_us >= 500000" : ""), limit)
        case .faster(let limit): return comparison("i.duration_us < ?", limit)
        case .larger(let bytes):
            return FilterCondition(
                "(i.request_bytes >= ? OR i.response_bytes >= ?)", [.integer(bytes), .integer(bytes)])
        case .since(let moment):
            return comparison("i.started_at >= ?", moment.resolved(now: now))
        case .until(let moment): return comparison("i.started_at < ?", moment.resolved(now: now))
        case .run(let number): return comparison("i.run = ?", number)
        }
    }

    private func status(_ range: ClosedRange<Int>) -> FilterCondition {
        let isIndexed = range.lowerBound >= 400
        let literal = isIndexed ? " AND i.status >= 400" : ""
        let (low, high) = (Int64(range.lowerBound), Int64(range.upperBound))
        if low == high { return comparison("i.status = ?" + literal, low) }
        return FilterCondition(
            "(i.status BETWEEN ? AND ?\(literal))", [.integer(low), .integer(high)])
    }

    /// Returns a comparison with one number.
    private func comparison(_ sql: String, _ value: Int64) -> FilterCondition {
        FilterCondition("(\(sql))", [.integer(value)])
    }

    private func condition(_ flag: FilterFlag) -> FilterCondition {
        switch flag {
        case .failed:
            return FilterCondition("(i.outcome >= 3 AND i.outcome >= 2)")
        case .withoutStatus: return FilterCondition("(i.status IS NULL AND i.kind <> 4)")
        case .withStatus: return FilterCondition("(i.status IS NOT NULL AND i.kind <> 4)")
        case .marked: return note("is_pinned <> 0", [])
        case .webSocket: return FilterCondition("i.kind = 2")
        case .retried: return FilterCondition("i.retries > 0")
        case .reused: return FilterCondition("i.is_reused <> 0")
        case .job: return FilterCondition("i.kind = 3")
        case .log: return FilterCondition("i.kind = 4")
        }
    }

    private func condition(_ field: FilterField, _ pattern: FilterPattern) -> FilterCondition {
        switch field {
        case .word: return .any([text("url", pattern), name("operation", pattern)])
        case .host: return name("host", pattern, .host)
        case .url: return text("url", pattern)
        case .method: return name("method", pattern)
        case .header: return header(["request_fields", "response_fields", "trailers"], pattern)
        case .requestHeader: return header(["request_fields"], pattern)
        case .responseHeader: return header(["response_fields", "trailers"], pattern)
        case .body:
            let logged = FilterCondition.all([condition(.log), text("message", pattern)])
            return .any([
                logged, body(["request_body", "response_body"], pattern), message(isSent: nil, pattern),
            ])
        case .requestBody: return .any([body(["request_body"], pattern), message(isSent: true, pattern)])
        case .responseBody: return .any([body(["response_body"], pattern), message(isSent: false, pattern)])
        case .contentType: return .any([name("request_type", pattern), name("response_type", pattern)])
        case .operation: return name("operation", pattern)
        case .tag: return name("tags", pattern, .tags)
        case .comment: return note("net_matches(comment, ?)", [.text(pattern.text)])
        case .error: return error(pattern)
        case .cache: return name("cache", pattern)
        }
    }
}

extension FilterConditionBuilder {
    private func text(_ name: String, _ pattern: FilterPattern) -> FilterCondition {
        return FilterCondition("net_matches(i.\(name), ?)", [.text(pattern.text)])
    }

    /// Matches the ID of a shared text: each text is compared once, not once per row.
    private func name(
        _ column: String, _ pattern: FilterPattern, _ subject: FilterSubject = .text
    ) -> FilterCondition {
        return FilterCondition(
            "i.\(column) IN (SELECT id FROM net_name WHERE \(subject.function)(text, ?))", [.text(pattern.text)])
    }

    private func note(_ condition: String, _ values: [SQLiteValue]) -> FilterCondition {
        return FilterCondition("i.id IN (SELECT item FROM net_note WHERE \(condition))", values)
    }

    private func error(_ pattern: FilterPattern) -> FilterCondition {
        var causes = [
            name("error", pattern), .all([FilterCondition("i.error IS NOT NULL"), text("message", pattern)]),
        ]
        for outcome in StoredItem.Outcome.allCases {
            guard let word = outcome.errorWord, pattern.matches(word) else { continue }
            causes.append(FilterCondition("i.outcome = \(outcome.rawValue)"))
        }
        return .all([FilterCondition("i.outcome >= 2"), .any(causes)])
    }

    /// Captures are kept for less time than entries: entries older than the oldest capture needn't be looked up.
    private static let mayBeCaptured = "i.uid >= (SELECT min(call) FROM net_capture)"

    private func header(_ columns: [String], _ pattern: FilterPattern) -> FilterCondition {
        let lines = columns.map { "net_matches_line(c.\($0), ?)" }.joined(separator: " OR ")
        return FilterCondition(
            "(\(Self.mayBeCaptured) AND EXISTS (SELECT 1 FROM net_capture AS c WHERE c.call = i.uid AND (\(lines))))",
            columns.map { _ in .text(pattern.text) })
    }

    private func body(_ columns: [String], _ pattern: FilterPattern) -> FilterCondition {
        let ids = columns.map { "c.\($0)" }.joined(separator: ", ")
        return FilterCondition(
            "(\(Self.mayBeCaptured) AND EXISTS (SELECT 1 FROM net_capture AS c JOIN net_body AS d ON d.id IN (\(ids))"
                + " WHERE c.call = i.uid AND net_matches_body(d.data, d.is_compressed, ?)))", [.text(pattern.text)])
    }

    /// Messages of a WebSocket.
    private func message(isSent: Bool?, _ pattern: FilterPattern) -> FilterCondition {
        let side = isSent.map { " AND m.is_sent \($0 ? "<>" : "=") 0" } ?? ""
        return FilterCondition(
            "(i.kind = 2 AND EXISTS (SELECT 1 FROM net_message AS m WHERE m.socket = i.uid\(side)"
                + " AND (net_matches(m.text, ?) OR net_matches(m.data, ?))))",
            [.text(pattern.text), .text(pattern.text)])
    }
}
