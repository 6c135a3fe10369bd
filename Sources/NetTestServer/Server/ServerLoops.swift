#if Server
internal import NIOCore
internal import NIOPosix

/// The event loops that all servers and proxies of the process share: starting and stopping one touches no thread.
enum ServerLoops {
    /// The loop of the next server or proxy, which stays on it with all its connections.
    static func next() -> any EventLoop { MultiThreadedEventLoopGroup.singleton.next() }
}
#endif
