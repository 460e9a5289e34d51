import type { FailureKind } from '../domain/failure/failure.ts'
import { firstErrorIn } from './first-errors.ts'
import { namesTest } from './weights.ts'

/** The kind of failure that a line proves, given the exit code of its command. */
export function kindOfLine(text: string, exitCode: number | null): FailureKind | null {
  // The name of a test may speak of anything.
  if (namesTest(text)) return firstErrorIn(text)?.kind ?? null
  if (isInfrastructure(text)) return 'infrastructure'
  const proven = proofs.find(({ line }) => line.test(text))
  if (proven) return proven.kind
  if (exitCode === 137 && /\bKilled\b/.test(text)) return 'killed'
  return firstErrorIn(text)?.kind ?? null
}

/** The kind that an exit code alone proves. */
export function kindOfExit(code: number | null): FailureKind | null {
  if (code === 124) return 'time'
  if (code === 127) return 'missing'
  if (code === 137) return 'killed'
  return null
}

/**
 * Whether a line proves that a host outside of the job was unreachable or at fault. Hosts that the job can have
 * started itself prove nothing, and neither do statuses that name a wrong version or setting.
 */
export function isInfrastructure(text: string): boolean {
  const line = text.slice(0, longest)
  if (!outage.test(line) || ownFault.test(line) || ownMachine.test(line)) return false
  return hostsIn(line).some((host) => !isOwnHost(host))
}

const longest = 1000

const outage = new RegExp(
  [
    'connection (?:was )?(?:reset|refused|timed out|aborted)',
    String.raw`\b(?:econnreset|etimedout|eai_again|enotfound|epipe|econnrefused)\b`,
    'socket hang up',
    'temporary failure (?:in name resolution|resolving)',
    'could not resolve host|could not resolve ',
    String.raw`(?:tls|ssl)\b.{0,60}(?:timeout|timed out|handshake|unexpected eof)`,
    'hash sum mismatch',
    'rpc failed',
    'early eof',
    String.raw`(?:error|status|http|code|returned)\D{0,20}\b(?:429|500|502|503|504)\b`,
    String.raw`\b(?:429 too many requests|500 internal server error|502 bad gateway|503 service unavailable|504 gateway time-?out)\b`,
    'toomanyrequests|rate limit exceeded',
    'failed to connect to|connection timeout',
  ].join('|'),
  'i',
)
/** A server that the job itself can have started. */
const ownMachine = /\blocalhost\b|\b127\.\d|\[::1\]/i
const ownFault = /\b(?:401|403|404|422)\b/

const hostPattern =
  /\b(?:https?|ssh|git|ftp):\/\/(?:[^\s/@]{1,100}@)?([\w.-]{1,200}|\[[\da-f:]{2,40}\])|\b((?:[\w-]{1,63}\.){1,8}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})\b/gi

function hostsIn(line: string): string[] {
  return [...line.matchAll(hostPattern)].map(([, ofUrl, named]) =>
    (ofUrl ?? named ?? '').toLowerCase(),
  )
}

/** Names without a dot are services of the job; so are the machine itself and private addresses. */
function isOwnHost(host: string): boolean {
  if (!host.includes('.') || host.startsWith('[')) return true
  if (/\.(?:local|localhost|internal|test|example|invalid)$/.test(host)) return true
  if (fileName.test(host) || className.test(host)) return true
  return /^(?:0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\./.test(host)
}

/** What looks like a host, but is the name of a class. */
const className = /(?:error|exception)$/

/** What looks like a host, but is the name of a file. */
const fileName =
  /\.(?:c|cc|cpp|h|hpp|js|mjs|cjs|ts|mts|tsx|jsx|py|rb|go|rs|java|kt|php|pl|pm|sh|ex|exs|hs|cs|swift|json|ya?ml|toml|lock|txt|log|xml|html|css|md|cfg|conf|ini|so|jar|gz|zip|sql)$/

const proofs: readonly { line: RegExp; kind: FailureKind }[] = [
  { line: /\bNo space left on device\b|\bENOSPC\b|Disk quota exceeded/i, kind: 'disk' },
  {
    line: /heap out of memory|OutOfMemoryError|\bMemoryError\b|Cannot allocate memory|\bENOMEM\b|OOMKilled|out of memory/i,
    kind: 'memory',
  },
  { line: /\b(?:401 Unauthorized|403 Forbidden|E401|E403)\b/, kind: 'settings' },
]
