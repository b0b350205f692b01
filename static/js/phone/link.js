// Whether the server can be reached, as this page's last request to it has found out. Requests that nobody waits for go
// through `contact`, so that the bar says only what is so.
//
// - The server's responses have its header. Another response, such as the login page of a hotel's network or a redirect
//   to it, is from a *portal*; an error page without the header is from a proxy, whose server is away.
// - A server that has not responded after a while is *slow*.

const MARK = "X-Tailgunner";
const SLOW = 3_000; // milliseconds
const SERVER_FAILED = 500; // and above
const TOO_LARGE = 413; // for a proxy
const NETWORK_LOGIN = 511; // the status for: log in to this network first

/** @type {{how: LinkState}} */
export const link = { how: "" };

/** @param {LinkState} how */
function report(how) {
  if (link.how === how) return;
  link.how = how;
  document.dispatchEvent(new CustomEvent("phone:link", { detail: { how } }));
}

/** Whether the server can be reached as far as is known. */
export const isReachable = () => link.how === "ok" || link.how === "";

/**
 * Send a request to the server; return the response, whoever has sent it.
 * @param {string} address
 * @param {RequestInit} options
 * @throws {Error} there is none.
 */
export async function contact(address, options) {
  const timer = setTimeout(report, SLOW, "slow");
  try {
    const answer = await fetch(address, { ...options, credentials: "same-origin", redirect: "manual", cache: "no-store" });
    report(judge(answer));
    return answer;
  } catch (error) {
    report("away");
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** @param {Response} answer */
function judge({ headers, status }) {
  if (headers.has(MARK)) return "ok";
  return status === TOO_LARGE || (status >= SERVER_FAILED && status !== NETWORK_LOGIN) ? "away" : "portal";
}
