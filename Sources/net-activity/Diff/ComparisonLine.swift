#if Tools
internal import NetCore

/// A comparison as JSON; parts that weren't compared are omitted.
struct ComparisonLine: Encodable {
    struct Pair: Encodable {
        let name: String
        let old, new: String?

        init(_ difference: HeaderComparison.Difference) {
            (name, old, new) = (difference.name, difference.old, difference.new)
        }

        init(_ fact: ExchangeComparison.Fact) { (name, old, new) = (fact.name, fact.old, fact.new) }
    }

    struct Headers: Encodable {
        let differences, noise: [Pair]
        let hidden: [String]

        init?(_ headers: HeaderComparison?) {
            guard let headers, headers.isCompared else { return nil }
            differences = headers.differences.map { Pair($0) }
            noise = headers.noise.map { Pair($0) }
            hidden = headers.hidden
        }
    }

    struct Place: Encodable {
        let place: String
        let old, new: String?
    }

    struct Body: Encodable {
        let kind: String?
        let isSame: Bool
        let count: Int
        let differences: [Place]
        let notes: [String]
        let oldSize, newSize: Int64?

        init(_ body: ContentComparison) {
            (kind, isSame, count, notes) = (body.kind?.rawValue, body.isSame, body.count, body.notes)
            (oldSize, newSize) = (body.oldSize, body.newSize)
            differences = body.differences.map { Place(place: $0.place, old: $0.old, new: $0.new) }
        }
    }

    struct Time: Encodable {
        let name: String
        let oldMicroseconds, newMicroseconds: Int64?
    }

    let isSame: Bool
    let facts: [Pair]
    let requestHeaders, headers, trailers: Headers?
    let requestBody: Body?
    let body: Body
    let times: [Time]

    init(_ comparison: ExchangeComparison) {
        isSame = !comparison.differs
        facts = comparison.facts.map { Pair($0) }
        requestHeaders = Headers(comparison.requestHeaders)
        headers = Headers(comparison.headers)
        trailers = Headers(comparison.trailers)
        requestBody = comparison.requestBody.map { Body($0) }
        body = Body(comparison.body)
        times = comparison.times.map {
            Time(name: $0.name, oldMicroseconds: $0.old?.microseconds, newMicroseconds: $0.new?.microseconds)
        }
    }
}
#endif
