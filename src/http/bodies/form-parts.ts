/**
 * The fields of a multipart form (RFC 7578), files as their text; undefined if it is not one. Node's
 * own form reader rejects short boundaries, which some clients use.
 */
export function readFormParts(
  body: Buffer,
  type: string,
): [name: string, value: string][] | undefined {
  const boundary = boundaryIn(type)
  if (boundary === undefined) return undefined
  // One character for each byte, so that no byte is lost before the values are found.
  const [, ...parts] = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`)
  const end = parts.findIndex((part) => part.startsWith('--'))
  if (end < 0) return undefined
  return parts.slice(0, end).flatMap(readPart)
}

function boundaryIn(type: string): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s"]{1,70}))/i.exec(type) ?? []
  return quoted ?? plain
}

function readPart(part: string): [name: string, value: string][] {
  const headersEnd = part.indexOf('\r\n\r\n')
  const disposition = /^content-disposition:.*$/im.exec(part.slice(0, headersEnd))?.[0] ?? ''
  const [, quoted, plain] = /;\s*name=(?:"([^"]*)"|([^;\s"]+))/i.exec(disposition) ?? []
  const name = quoted ?? plain
  if (headersEnd < 0 || name === undefined) return []
  return [[utf8(name), utf8(part.slice(headersEnd + 4))]]
}

function utf8(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}
