extension OperationPlanner {
    /// Declares types for the bodies of `webhooks`, requests that a server sends on its own.
    ///
    /// They have no request types, because the client receives these requests; it decodes their bodies.
    func readWebhooks() {
        for webhook in read.members(root, "webhooks") where !webhook.key.hasPrefix("x-") {
            declareBodies(of: webhook.value, name: webhook.key)
        }
    }

    /// Declares types for the bodies of one operation's `callbacks`.
    func readCallbacks(of node: Node, identifier: String) {
        for callback in read.members(node, "callbacks") where !callback.key.hasPrefix("x-") {
            guard let expressions = resolved(callback.value) else { continue }
            for expression in expressions.members where !expression.key.hasPrefix("x-") {
                declareBodies(of: expression.value, name: "\(identifier) \(callback.key)")
            }
        }
    }

    private func declareBodies(of entry: Node, name: String) {
        guard let item = resolved(entry), item.isObject else { return }
        let calls = Self.methods.compactMap { method in item[method].flatMap { resolved($0) } }
        for call in calls {
            guard let body = call["requestBody"].flatMap({ resolved($0) }) else { continue }
            let contents = read.members(body, "content").map { (type: ContentType($0.key), node: $0.value) }
            guard let media = contents.first(where: { $0.type.isJSON || $0.type.isForm })?.node,
                let schema = resolved(media)?["schema"]
            else { continue }
            schemas.declareAlias("\(name) Webhook", schema)
        }
    }
}
