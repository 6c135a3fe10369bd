/// Effects to run after a board's lock is released, because ending a stream calls back into the board.
struct DownloadEffects {
    private var all: [@Sendable () -> Void] = []

    mutating func add(_ effect: @escaping @Sendable () -> Void) { all.append(effect) }

    func run() { for effect in all { effect() } }
}
