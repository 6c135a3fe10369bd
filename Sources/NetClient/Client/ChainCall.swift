package import NetCore

/// One call through a chain, from its beginning to its response. The client handles the response according to its kind,
/// and ends a call that succeeds.
package struct ChainCall: Sendable {
    package let request: PreparedRequest
    package let context: CallContext
    private let chain: MiddlewareChain

    init(request: PreparedRequest, context: CallContext, chain: MiddlewareChain) {
        self.request = request
        self.context = context
        self.chain = chain
    }

    /// True if no part of the chain waits past the end of the call.
    package var endsWithCall: Bool { chain.endsWithCall }

    /// Sends the request through the chain. An error ends the call.
    package func run() async throws(NetError) -> StreamedResponse {
        do throws(NetError) {
            let response = try await chain.run(request, context)
            // If a part of the chain treats cancellation as the end of its work, this response may not be a real one.
            if !chain.endsWithCall { try context.checkEnd(.waiting) }
            return response
        } catch {
            throw fail(error)
        }
    }

    /// Ends the call with an error, and returns the error with the call's summary.
    package func fail(_ error: NetError) -> NetError {
        let error = context.explained(error).belonging(to: context.summary, elapsed: context.elapsed)
        context.end(failure: error)
        return error
    }

    /// Reads a body that's still arriving, at most until the call ends; throws the reason of the end. A body made by
    /// foreign middleware or transports may ignore the end, and is then abandoned.
    package func lasting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async throws(NetError) -> Value
    {
        guard let value = await context.unlessEnded(body) else { throw fail(context.abandoned(.receiving)) }
        return value
    }
}
