package import NetCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension SessionMachine {
    /// The number of a connection, or of an attempt to open one; never used twice.
    package typealias ConnectionID = UInt64
    /// The number of a request, join, leave or subscription whose outcome is awaited.
    package typealias Ticket = UInt64

    /// An event that a session handles. Plain data: the same list of events leads to the same states, if its tickets
    /// are created at the same points.
    package enum Event: Sendable {
        // Requests of the owner.
        case start
        case close
        case pause
        case resume
        /// Ends the connection, or the wait for one, and connects immediately; earlier failures no longer count.
        case reconnect
        /// The status of the network: the first one, and each change.
        case network(NetworkStatus)

        // Reports of the transport.
        case connected(ConnectionID)
        case connectFailed(ConnectionID, NetError, Chance)
        case received(ConnectionID, WireSignal)
        /// Bytes that aren't a signal have arrived, or they would have if this side were reading.
        case heard(ConnectionID)
        /// The server has ended the wire protocol.
        case wireEnded(ConnectionID, WireEnd, Chance)
        case ended(ConnectionID, NetError, Chance)
        case timer(Timer, Chance)

        // Requests of callers; the tickets come from `makeTicket()`.
        case request(Ticket, Request)
        /// The caller no longer waits.
        case cancel(Ticket)
        case join(Ticket, topic: String)
        case leave(Ticket, topic: String)
        /// The reply to a request of the peer on a connection.
        case reply(ConnectionID, WireReply)
        case subscribe(Ticket, SocketPayload)
        case unsubscribe(Ticket)

        // The results of callers' closures for each connection: the payload, or nil and the error if the closure
        // threw.
        case openPayload(ConnectionID, SocketPayload?, NetError?, Chance)
        /// The wire couldn't encode the message with this number.
        case unwritable(UInt64)
        case joinPayload(ConnectionID, topic: String, generation: Ticket, SocketPayload?, NetError?)
    }

    /// The wall clock and a random number, for a decision about the next attempt.
    package struct Chance: Sendable {
        package var date: Date
        /// In `0 ..< 1`.
        package var random: Double

        package init(date: Date, random: Double) {
            self.date = date
            self.random = random
        }
    }

    /// A message that this side sends.
    package struct Request: Sendable, Hashable {
        package var event: String
        package var payload: SocketPayload?
        package var topic: String?
        /// True if the caller waits for a reply. Otherwise, the ticket is settled when the message has been handed
        /// over.
        package var wantsReply: Bool
        package var timeout: Duration
        package var offline: OfflineRule

        package init(
            _ event: String, payload: SocketPayload? = nil, topic: String? = nil, wantsReply: Bool = true,
            timeout: Duration = .seconds(30), offline: OfflineRule = .queue
        ) {
            self.event = event
            self.payload = payload
            self.topic = topic
            self.wantsReply = wantsReply
            self.timeout = timeout
            self.offline = offline
        }
    }

    /// The purpose of a deadline.
    package enum Timer: Sendable, Hashable {
        /// The delay before the next attempt.
        case reconnect
        /// The time limit for opening the wire protocol.
        case opening
        case request(Ticket)
        case join(topic: String)
        /// The time limit for the response to a probe.
        case probe
        /// The time after which an unneeded connection is closed.
        case idle
        /// The next heartbeat.
        case heartbeat
        /// The next check whether the server has been silent for too long.
        case silence
        /// The time to acknowledge the messages that have arrived.
        case acknowledgment
    }

    /// An action that the driver of a session performs, in order.
    package enum Effect: Sendable {
        /// Open a connection. `needsNewCredential` is true after the server has refused the last credential.
        case connect(ConnectionID, attempt: Int, needsNewCredential: Bool)
        /// Stop opening a connection.
        case abandon(ConnectionID)
        /// Close a connection with a closing handshake. With 1006, which is never sent, end it without one, since the
        /// peer is gone.
        case close(ConnectionID, WebSocketCloseCode)
        /// Ask the owner for the payload of the opening message.
        case makeOpenPayload(ConnectionID)
        /// Ask the channel's owner for the payload of a join. The generation distinguishes a channel from an earlier
        /// one with the same name.
        case makeJoinPayload(ConnectionID, topic: String, generation: Ticket)
        case send(ConnectionID, WireSignal)
        /// Check if the peer is alive, below the wire protocol.
        case probe(ConnectionID)
        /// Send a message that gets no reply, and settle its ticket: the wire may be unable to encode it.
        case notify(ConnectionID, WireSignal, Ticket)
        case setTimer(Timer, Duration)
        case clearTimer(Timer)
        case settle(Ticket, Outcome)
        case tell(Notice)
    }

    /// The outcome of an operation that a caller awaits.
    package enum Outcome: Sendable {
        /// The reply's payload; nil for none, and for a message that gets no reply.
        case success(SocketPayload?)
        /// The peer refused the operation.
        case rejected(SocketFailure)
        /// The operation wasn't performed, or it is unknown if it was.
        case failed(Loss)
    }

    /// The reason for a missing reply.
    package enum Loss: Sendable {
        /// The connection ended with this error. The message may have arrived if it was sent.
        case lost(NetError, mayHaveArrived: Bool)
        case timedOut(Duration, mayHaveArrived: Bool)
        /// The caller no longer waits. Reported by the driver.
        case cancelled(mayHaveArrived: Bool)
        /// No connection is open, and the message's rule doesn't allow waiting for one.
        case offline
        /// The queue is full.
        case full
        /// A newer message replaced it, or it was dropped.
        case replaced
        case notJoined(topic: String)
        case closed
        /// The closure that creates the payload threw an error.
        case unprepared(NetError)
    }

    /// A notification for observers.
    package enum Notice: Sendable {
        case state(SocketSessionState)
        case push(WirePush)
        /// The join of the channel was sent.
        case joining(topic: String)
        /// The channel was joined, with the server's reply.
        case joined(topic: String, SocketPayload?, MissedPushes)
        /// The server was asked to remove this side from the channel.
        case leaving(topic: String)
        /// The channel was left, by this side or the server, or joining it was refused or abandoned.
        case left(topic: String, SocketFailure?)
        /// The channel waits for the next connection.
        case interrupted(topic: String)
        /// Pushes of a channel are missing between two that have arrived.
        case gap(topic: String)
        case event(Ticket, SocketPayload)
        case completed(Ticket, SocketFailure?)
        /// The peer sent a request to this side, on this connection.
        case request(WireRequest, ConnectionID)
        case cancelled(SocketID)
        /// The wire couldn't decode a message.
        case unreadable(NetError)
        /// A reply without a waiting caller: it came too late, or twice.
        case stray(WireReply)
        /// Messages that were sent but not acknowledged by the server, in order. They aren't sent again.
        case undelivered([WireRequest])
        /// A request of the peer wasn't handled correctly. Reported by the driver.
        case unhandled(WireRequest, NetError)
        /// The outcome of a request whose caller doesn't wait. Reported by the driver, instead of `settle`.
        case settled(Ticket, Outcome)
        /// The members of a channel have changed. Reported by the driver, after the push.
        case presence(topic: String, Presence)
    }
}
