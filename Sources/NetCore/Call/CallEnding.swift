/// A transport or middleware that never outlasts its call: wherever it suspends, it stops when the client ends the
/// call, when the call's total timeout passes and when its task is cancelled.
///
/// A chain that consists only of such parts needs no supervising task.
package protocol CallEnding: Sendable {
    /// False if something that it was given may wait longer, such as a custom store. Default true.
    var endsWithCall: Bool { get }
}

extension CallEnding {
    package var endsWithCall: Bool { true }
}
