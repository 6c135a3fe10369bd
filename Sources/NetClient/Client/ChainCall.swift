package import NetCore

/// One call on its way through a chain, from its beginning to its response. The kind of client handles the response, and
/// ends a call that succeeds.
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
            // A part of the chain that treats cancellation as the end of its work may have made up this response.
            if !chain.endsWithCall { try context.checkEnd(.waiting) }
            return response
        } catch {
            throw fail(error)
        }
    }

    /// Ends the call with an error, and returns the error as that of the call.
    package func fail(_ error: NetError) -> NetError {
        let error = context.explained(error).belonging(to: context.summary, elapsed: context.elapsed)
        context.end(failure: error)
        return error
    }

    /// Reads a body that's still arriving, for no longer than the call lasts; throws what ended it. A body made by foreign
    /// middleware or transports may ignore the end, and is abandoned then.
    package func lasting<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async throws(NetError) -> Value
    {
        guard let value = await context.unlessEnded(body) else { throw fail(context.abandoned(.receiving)) }
        return value
    }
}
