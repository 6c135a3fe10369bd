/// A middleware that also observes sessions.
package protocol SessionObserving: Middleware {
    /// Returns the listener for one session; nil if there is none.
    func sessionListener(_ environment: CallContext.Environment) -> (any ActivityListener)?
}
