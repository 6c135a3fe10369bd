/// A middleware that also wants to know what sessions do.
package protocol SessionObserving: Middleware {
    /// Returns the listener of one session; nil for none.
    func sessionListener(_ environment: CallContext.Environment) -> (any ActivityListener)?
}
