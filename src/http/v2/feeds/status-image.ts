import type { Build, BuildState } from '../../../domain/build.ts'
import { digestOf, knownTag, tagsOf } from '../../caching/entity-tag.ts'
import { type Answer, content, unchanged, withHeaders } from '../../core/answer.ts'

export const imageType = 'image/svg+xml; charset=utf-8'

interface Look {
  text: string
  colour: string
  /** Width of the whole image in pixels, as of the images that people know. */
  width: number
}

const looks: Partial<Record<BuildState, Look>> = {
  passed: { text: 'passing', colour: '#4c1', width: 90 },
  failed: { text: 'failing', colour: '#e05d44', width: 81 },
  errored: { text: 'error', colour: '#9f9f9f', width: 76 },
  canceled: { text: 'canceled', colour: '#9f9f9f', width: 97 },
}

const unknown: Look = { text: 'unknown', colour: '#9f9f9f', width: 98 }

/**
 * The image of a build's state. Without a build, it says `unknown` and must not be cached, because the
 * repository may soon have a build. Image proxies keep other images for a year unless headers forbid it.
 */
export function statusImage(
  build: Pick<Build, 'state' | 'finished_at'> | undefined,
  { now, ifNoneMatch }: { now: Date; ifNoneMatch: string | undefined },
): Answer {
  const look = (build && looks[build.state]) ?? unknown
  const text = svg(look)
  const etag = `"${digestOf(text)}"`
  const isKept = look !== unknown
  const headers = {
    ...guards,
    expires: now.toUTCString(),
    ...(isKept
      ? { 'cache-control': 'no-cache, max-age=0', etag }
      : { 'cache-control': 'no-store' }),
    ...(isKept && build?.finished_at ? { 'last-modified': build.finished_at.toUTCString() } : {}),
  }
  const isKnown = isKept && knownTag(ifNoneMatch, tagsOf(etag)) !== undefined
  return withHeaders(isKnown ? unchanged() : content(Buffer.from(text), imageType), headers)
}

/** Pages of other sites may show the image; opened by itself, it can do nothing. */
const guards = {
  'content-disposition': 'inline; filename="status.svg"',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const height = 20
const leftWidth = 37
const font = 'font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11"'

/** The texts are ours, so nothing needs to be escaped. Fonts differ, so texts get a fixed length. */
function svg({ text, colour, width }: Look): string {
  const name = `build: ${text}`
  const rightWidth = width - leftWidth
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<clipPath id="corners"><rect width="${width}" height="${height}" rx="3"/></clipPath>`,
    '<g clip-path="url(#corners)">',
    `<rect width="${leftWidth}" height="${height}" fill="#555"/>`,
    `<rect x="${leftWidth}" width="${rightWidth}" height="${height}" fill="${colour}"/>`,
    '</g>',
    `<g fill="#fff" text-anchor="middle" ${font}>`,
    ...textWithShadow('build', 0, leftWidth),
    ...textWithShadow(text, leftWidth, rightWidth),
    '</g></svg>\n',
  ].join('')
}

function textWithShadow(text: string, left: number, width: number): string[] {
  const at = (y: number, more = '') =>
    `<text x="${left + width / 2}" y="${y}" textLength="${width - 10}"${more}>${text}</text>`
  return [at(15, ' fill="#010101" fill-opacity=".3" aria-hidden="true"'), at(14)]
}
