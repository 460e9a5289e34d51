import { classesOf } from '../../../terminal/drawn-style.ts'
import { type LogFold, type LogLine, type LogNode, readFolds } from '../../../terminal/fold.ts'
import { type TailLimits, linesFrom, tailOf } from '../../../terminal/log-tail.ts'
import type { PaintedSpan } from '../../../terminal/paint-line.ts'
import { Duration } from '../parts/duration.tsx'

/** A larger page is slow to load and to draw, and its rendering delays all other calls. */
export const longestLog: TailLimits = { lines: 4000, characters: 400_000 }

interface LogProps {
  text: string
  /** Path of the whole log as plain text. */
  href: string
  limits?: TailLimits
}

/** The end of a job's output, with colours and folds. All of its content is shown as text only. */
export function Log({ text, href, limits = longestLog }: LogProps) {
  const { from, first } = tailOf(text, limits)
  return (
    <>
      {from > 0 && (
        <p class="line">
          Only the end of this log is shown, from line {first.toLocaleString('en-US')}.{' '}
          <a href={href}>The whole log as plain text</a>
        </p>
      )}
      {readFolds(linesFrom(text, from), first).map(Node)}
    </>
  )
}

function Node(node: LogNode) {
  return node.kind === 'line' ? <Line line={node} /> : <Fold fold={node} />
}

function Fold({ fold: { name, head, inside, closed } }: { fold: LogFold }) {
  if (inside.length === 0) return head && <Line line={head} fold={name} />
  return (
    <details open={!closed}>
      <summary>{head ? <Line line={head} fold={name} inSummary /> : <Tag name={name} />}</summary>
      {inside.map(Node)}
    </details>
  )
}

function Tag({ name }: { name: string }) {
  return <span class="fold">{name}</span>
}

interface LineProps {
  line: LogLine
  /** Name of the fold that this line is the summary of. */
  fold?: string
  inSummary?: boolean
}

function Line({ line: { number, spans, cut, seconds }, fold, inSummary }: LineProps) {
  const Element = inSummary ? 'span' : 'div'
  return (
    <Element class="line" id={number === null ? undefined : `L${number}`}>
      {number !== null && <Anchor number={number} />}
      {fold !== undefined && <Tag name={fold} />}
      {seconds !== null && <Duration seconds={seconds} />}
      <span class="text">
        {spans.map(Piece)}
        {cut > 0 && <em class="cut"> … {cut.toLocaleString('en-US')} more characters</em>}
      </span>
    </Element>
  )
}

function Anchor({ number }: { number: number }) {
  return (
    <a class="number" href={`#L${number}`} tabindex={-1}>
      {number}
    </a>
  )
}

function Piece({ text, style }: PaintedSpan) {
  const classes = classesOf(style)
  const shown = findWebLinks(text).map((piece) =>
    piece.href === null ? (
      piece.text
    ) : (
      <a href={piece.href} rel="noopener noreferrer nofollow">
        {piece.text}
      </a>
    ),
  )
  return classes === '' ? <>{shown}</> : <span class={classes}>{shown}</span>
}

/** A piece of text, with its target if it is a web address. */
interface Linked {
  text: string
  href: string | null
}

const address = /https?:\/\/[^\s<>"'`\\^{|}]+/g
/** Maximum number of links in one text; further addresses stay text. */
const most = 10
const closing = new Set('.,:;!?)]*_~')

/** Splits text at web addresses. Only http and https make a link. */
export function findWebLinks(text: string): Linked[] {
  if (!text.includes('://')) return [{ text, href: null }]
  const pieces: Linked[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    if (pieces.length >= 2 * most) break
    const href = withoutClosing(found)
    pieces.push({ text: text.slice(at, index), href: null }, { text: href, href })
    at = index + href.length
  }
  return [...pieces, { text: text.slice(at), href: null }].filter((piece) => piece.text !== '')
}

/** Punctuation at the end belongs to the sentence around the address. */
function withoutClosing(found: string): string {
  let end = found.length
  while (end > 0 && closing.has(found.charAt(end - 1))) end -= 1
  return found.slice(0, end)
}
