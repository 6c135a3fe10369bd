#if Tools
internal import NetStore

/// A line of `diff --json`.
struct GroupLine: Encodable {
    let change, severity, endpoint, file, filter: String
    let before, after, quartilesBefore, quartilesAfter: String?
    let callsBefore, callsAfter: Int
    let probability: Double?

    init(_ difference: EndpointDifference, in group: DiffGroup) {
        (change, severity) = (difference.change.rawValue, difference.change.severity.rawValue)
        endpoint = difference.endpoint.name
        (file, filter) = (group.file, group.filter(difference).description)
        (before, after) = (difference.before, difference.after)
        (quartilesBefore, quartilesAfter) = (difference.spreads?.before, difference.spreads?.after)
        (callsBefore, callsAfter) = (difference.calls.before, difference.calls.after)
        probability = difference.probability
    }
}
#endif
