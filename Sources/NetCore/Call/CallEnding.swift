/// A transport or middleware that ends with its call: wherever it waits, it ends when the client ends the call, when its
/// total time-out passes and when its task is cancelled.
///
/// A chain of only such parts needs no task that watches over it.
package protocol CallEnding: Sendable {
    /// False if something that it was given may wait longer. Default true.
    var endsWithCall: Bool { get }
}

extension CallEnding {
    package var endsWithCall: Bool { true }
}
