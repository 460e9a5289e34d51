import { type LogFold, type LogLine, type LogNode, readFolds } from '../../../terminal/fold.ts'
import { type Limits, linesFrom, tailOf } from '../../../terminal/log-tail.ts'
import type { Span } from '../../../terminal/paint-line.ts'
import { Duration } from '../parts/duration.tsx'
import { classesOf } from './style-classes.ts'
import { findWebLinks } from './web-links.ts'

/** A page with more is slow to load and to draw, and keeps all others waiting while it is rendered. */
export const longestLog: Limits = { lines: 4000, characters: 400_000 }

interface LogProps {
  text: string
  /** Path of the whole log as plain text. */
  href: string
  limits?: Limits
}

/** A job's output, with colours and folds. Whatever it contains is shown as text only. */
export function Log({ text, href, limits = longestLog }: LogProps) {
  const { from, first } = tailOf(text, limits)
  return (
    <>
      {from > 0 && (
        <p>
          Only the end of this log is shown, from line {first.toLocaleString('en-US')}.{' '}
          <a href={href}>The whole log as plain text</a>
        </p>
      )}
      <div class="log">{readFolds(linesFrom(text, from), first).map(Node)}</div>
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
  /** Name of the fold that this line stands for. */
  fold?: string
  inSummary?: boolean
}

function Line({ line: { number, spans, cut, seconds }, fold, inSummary }: LineProps) {
  const Element = inSummary ? 'span' : 'div'
  return (
    <Element class="line" id={number === null ? undefined : `L${number}`}>
      {number === null ? <span class="number" /> : <Anchor number={number} />}
      <span class="text">
        {spans.map(Piece)}
        {cut > 0 && <em class="cut"> … {cut.toLocaleString('en-US')} more characters</em>}
      </span>
      {fold !== undefined && <Tag name={fold} />}
      {seconds !== null && <Duration seconds={seconds} />}
    </Element>
  )
}

function Anchor({ number }: { number: number }) {
  return (
    <a class="number" href={`#L${number}`}>
      {number}
    </a>
  )
}

function Piece({ text, style }: Span) {
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
