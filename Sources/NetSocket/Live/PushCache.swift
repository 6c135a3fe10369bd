internal import NetCore
internal import NetSocketCore

/// The decoded values that the observers of one push share. Each type is decoded once, and only the first failure is
/// reported.
struct PushCache {
    private var values: [ObjectIdentifier: (any Sendable)?] = [:]
    private var hasFailed = false

    /// Returns the payload as a value; nil if it can't be decoded.
    mutating func value<Push: SocketPush>(
        _ type: Push.Type, of push: WirePush, _ coding: JSONCoding, onFailure: (NetError) -> Void
    ) -> Push? {
        let key = ObjectIdentifier(type)
        if let known = values[key] { return known as? Push }
        do throws(NetError) {
            let value = try push.decoded(as: type, coding: coding)
            values[key] = .some(value)
            return value
        } catch {
            values[key] = .some(nil)
            if !hasFailed { onFailure(error) }
            hasFailed = true
            return nil
        }
    }
}
