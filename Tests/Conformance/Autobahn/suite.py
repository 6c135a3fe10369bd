"""The list of kosoku's cases, and one correction."""
import fnmatch


def matching_ids(patterns):
    """Returns the ids of the suite that match a pattern, in order; all of them without patterns. Raises `ValueError` for a pattern
    that matches none."""
    from kosoku.cases import CASES
    for pattern in patterns:
        if not fnmatch.filter(CASES, pattern):
            raise ValueError(f"no case matches \"{pattern}\"")
    return [case for case in CASES if not patterns or any(fnmatch.fnmatchcase(case, each) for each in patterns)]


def read_offers_like_autobahn():
    """Makes 13.2, 13.5 and 13.6 ask any client for `client_no_context_takeover`.

    A server may ask for it even if the client didn't offer it (RFC 7692 section 7.1.1.2), and Autobahn does. kosoku 0.1.0
    only asks clients that offered it; for all others, these 54 cases would be UNIMPLEMENTED.
    """
    from kosoku._kosoku import PerMessageDeflateOffer
    from kosoku.cases import CASES

    def corrected(accept):
        def accept_any(case, offers):
            return accept(case, [PerMessageDeflateOffer(
                acceptNoContextTakeover=True, acceptMaxWindowBits=offer.acceptMaxWindowBits,
                requestNoContextTakeover=offer.requestNoContextTakeover,
                requestMaxWindowBits=offer.requestMaxWindowBits) for offer in offers])
        return accept_any

    for name, case in CASES.items():
        if name.startswith("13."):
            case.SERVER_ACCEPT = corrected(case.SERVER_ACCEPT)
