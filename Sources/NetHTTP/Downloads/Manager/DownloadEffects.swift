/// What is done once the lock of a board is released: a stream that ends calls back.
struct DownloadEffects {
    private var all: [@Sendable () -> Void] = []

    mutating func add(_ effect: @escaping @Sendable () -> Void) { all.append(effect) }

    func run() { for effect in all { effect() } }
}
