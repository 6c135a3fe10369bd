#if Tools && Server
internal import NetTesting

/// The services of the lab's peer: a bookshop, WebSockets, and a contract.
struct LabWorld: Sendable {
    let shop: Shop
    var stubs: [Stub]
    var webSockets: [WebSocketStub]
    /// The contract of the contract server.
    var contract: Contract

    init() {
        shop = Shop()
        stubs = shop.stubs
        webSockets = [.echo(subprotocols: ["harbour.v1"])]
        contract = Shop.charts
    }
}
#endif
