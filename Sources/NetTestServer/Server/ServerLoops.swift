#if Server
internal import NIOCore
internal import NIOPosix

/// The event loops shared by all servers and proxies of the process: starting and stopping one doesn't start or stop a
/// thread.
enum ServerLoops {
    /// The event loop for the next server or proxy and all of its connections.
    static func next() -> any EventLoop { MultiThreadedEventLoopGroup.singleton.next() }
}
#endif
