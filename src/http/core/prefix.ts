import type { IncomingMessage } from 'node:http'
import { isTrusted } from './caller-address.ts'
import type { Site } from './context.ts'

/** Valid prefixes in `X-Script-Name`. */
const scriptName = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/

/**
 * The prefix of a call's paths: the installation's, or the `X-Script-Name` of a trusted proxy. From
 * other senders the header is ignored, because it could make links lead elsewhere.
 */
export function prefixOf(
  { prefix, trustProxy }: Pick<Site, 'prefix' | 'trustProxy'>,
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
): string {
  const name = headers['x-script-name']
  if (typeof name !== 'string' || !isTrusted(trustProxy, socket.remoteAddress)) return prefix
  const given = name.replace(/\/+$/, '')
  return given === '' || scriptName.test(given) ? given : prefix
}
