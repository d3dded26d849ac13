"""What the driver and the server report, in one line with the next step; and which of it may pass if tried again."""

from __future__ import annotations

from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from seedrank.core.errors import StoreError

__all__ = ["commit_unknown", "explained", "is_missing_procedure", "retry_reason"]

_START = "`seedrank db up` starts a server"


def retry_reason(error: BaseException) -> str | None:
    """Why the same work may succeed a little later; `None` when it will not."""
    if isinstance(error, IncompleteCommit):
        return "connection lost while committing"
    if isinstance(error, SessionExpired):
        return "session expired"
    if isinstance(error, ServiceUnavailable):
        return None if _tls(error) else "server not reachable"
    if isinstance(error, TransientError):
        code = error.code or ""
        if "OutOfMemory" in code or "MaximumTransactionLimit" in code:
            return None
        if "Deadlock" in code or "Lock" in code:
            return "deadlock"
        return "database not available" if "Unavailable" in code else "transient failure"
    return None


def commit_unknown(error: BaseException) -> bool:
    """Whether nobody knows if the transaction was committed."""
    return isinstance(error, (IncompleteCommit, SessionExpired, ServiceUnavailable))


def is_missing_procedure(error: BaseException) -> bool:
    """Whether the server does not know a procedure of the statement."""
    return isinstance(error, ClientError) and (error.code or "").endswith("ProcedureNotFound")


def explained(error: BaseException, url: str, database: str | None = None) -> StoreError:
    """The failure as it is told to the user; never holds a password, as the driver's messages do not."""
    failure = _explained(error, url, database)
    failure.__cause__ = error
    return failure


def _explained(error: BaseException, url: str, database: str | None) -> StoreError:
    code = error.code or "" if isinstance(error, Neo4jError) else ""
    # In one line, whole: which nodes break a constraint stands on the second.
    text = " ".join((error.message or "").split()) if isinstance(error, Neo4jError) else _plain(error)
    if isinstance(error, AuthError) or ".Security." in code:
        return _refused(url, code, text)
    if code.endswith("DatabaseNotFound"):
        return StoreError(
            "{url} has no database {name}",
            hint="leave out {database} for the server's own",
            fields=("database",),
            values={"url": url, "name": repr(database)},
        )
    if code.endswith("AccessMode"):
        return StoreError(
            "a query only reads, and this one writes", hint="allow it with {write=True}", fields=("write",)
        )
    if code.endswith(("SyntaxError", "SemanticError")) or (isinstance(error, ClientError) and ".Statement." in code):
        whole = error.message if isinstance(error, Neo4jError) else text
        return StoreError(f"the database refused the statement: {whole}")
    if (failed := _failed(url, code, text)) is not None:
        return failed
    if isinstance(error, (ServiceUnavailable, SessionExpired)):
        return _not_there(error, url)
    if isinstance(error, (ConfigurationError, ValueError)):
        return StoreError(
            f"{url} cannot be opened: {text}", hint="a Neo4j store is named neo4j://host:7687 or bolt://host:7687"
        )
    return StoreError(f"{url}: {text or type(error).__name__}")


def _failed(url: str, code: str, text: str) -> StoreError | None:
    """What went wrong on the server with a statement that it accepted; `None` where its code and text say nothing."""
    if code.endswith("ConstraintValidationFailed"):
        return StoreError(
            f"{url}: {text}", hint="another program writes there too: let it finish, then repeat the command"
        )
    if "ReadOnly" in code or "WriteOnReadOnlyAccessDatabase" in code:
        return StoreError(
            f"{url} may not be written: {text}", hint="make room on the server's disk, or let its owner allow writing"
        )
    if "No space left" in text or ("disk" in text.lower() and "space" in text.lower()):
        return StoreError(f"the disk of {url} is full", hint="make room there, then repeat the command")
    if "OutOfMemory" in code or "memory limit" in text:
        return StoreError(
            f"the server at {url} has too little memory for this: {text}",
            hint="give it more (`seedrank db up --heap 4g`)",
        )
    return None


def _refused(url: str, code: str, text: str) -> StoreError:
    if "RateLimit" in code:
        return StoreError(
            f"{url} refuses to log in after too many wrong passwords", hint="wait five seconds and try again"
        )
    if "CredentialsExpired" in code:
        return StoreError(f"{url} asks for a new password", hint="change it in Neo4j Browser, then set NEO4J_PASSWORD")
    if "Unauthorized" in code:
        return StoreError(
            f"{url} refuses the user or the password",
            hint="set NEO4J_USERNAME (neo4j by default) and NEO4J_PASSWORD",
        )
    return StoreError(f"{url} does not allow it: {text}", hint="ask the server's owner for the right")


def _not_there(error: BaseException, url: str) -> StoreError:
    if _tls(error) or "+s" in url.partition("://")[0]:
        return StoreError(
            f"no Neo4j server with TLS answers at {url}",
            hint="use neo4j:// or bolt:// for a server without TLS, +ssc for one that signed its own certificate, "
            "else +s",
        )
    return StoreError(
        f"no Neo4j server answers at {url}", hint=f"{_START}; otherwise check the address and that it is running"
    )


def _tls(error: BaseException) -> bool:
    """Whether one side speaks TLS and the other does not, or the certificate is not trusted."""
    seen: BaseException | None = error
    while seen is not None:
        if type(seen).__module__ == "ssl" or "SSL" in type(seen).__name__ or "BoltSecurity" in type(seen).__name__:
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _plain(error: BaseException) -> str:
    """First line of a driver error's text."""
    assert not isinstance(error, Neo4jError)
    text = str(error) if isinstance(error, (DriverError, ValueError, OSError)) else type(error).__name__
    return text.split("\n")[0]
