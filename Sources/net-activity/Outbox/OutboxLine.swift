#if Tools
internal import NetCore
internal import NetStore

/// A line of `--json`: an item of an outbox, without headers and bodies.
struct OutboxLine: Encodable {
    let id: Int64
    let state, method, url, idempotencyKey, acceptedAt, changedAt: String
    let orderKey, name, operationID, expiresAt, nextAttempt, parkReason, errorCode, errorMessage: String?
    let tags: [String]
    let bodyBytes, attempts: Int
    let status: Int?
    let isOwned: Bool

    init(_ item: OutboxItem) {
        id = item.id
        state = item.state.description
        method = item.method.rawValue
        url = item.url
        idempotencyKey = item.idempotencyKey
        acceptedAt = RFC3339.format(item.acceptedAt)
        changedAt = RFC3339.format(item.changedAt)
        orderKey = item.orderKey
        name = item.name
        operationID = item.operationID
        expiresAt = item.expiresAt.map(RFC3339.format)
        nextAttempt = item.nextAttempt.map(RFC3339.format)
        parkReason = item.parkReason?.rawValue
        errorCode = item.failure?.code
        errorMessage = item.failure?.message
        tags = item.tags
        bodyBytes = item.bodyBytes
        attempts = item.attempts
        status = item.response?.status
        isOwned = item.isOwned
    }
}
#endif
