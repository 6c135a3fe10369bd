#if Tools && Server
internal import NetTesting

/// What the lab's peer serves: a bookshop, WebSockets beside it, and a contract.
struct LabWorld: Sendable {
    let shop: Shop
    var stubs: [Stub]
    var webSockets: [WebSocketStub]
    /// What the contract server answers from.
    var contract: Contract

    init() {
        shop = Shop()
        stubs = shop.stubs
        webSockets = [.echo(subprotocols: ["harbour.v1"])]
        contract = Shop.charts
    }
}
#endif
