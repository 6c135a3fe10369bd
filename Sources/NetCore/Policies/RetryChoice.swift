/// A caller's decision about a finished attempt.
///
/// See ``RequestOptions/retryDecision``. Whatever it is, the policy's number of attempts and the call's deadline hold, and
/// only a request that may be repeated, with a body that can be sent again, is.
public enum RetryChoice: Sendable {
    /// The policy decides, by its status and error codes.
    case byPolicy
    /// The result of the attempt is the result of the call.
    case stop
    /// Another attempt, whatever the status or error.
    ///
    /// - Parameters:
    ///   - after: The wait before it; nil for that of the backoff, or of `Retry-After` if it is longer.
    ///   - with: The request that is sent, and repeated from then on; nil for the same one.
    case retry(after: Duration? = nil, with: PreparedRequest? = nil)
}
