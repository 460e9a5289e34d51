import { visible } from '../../../domain/text/escape-control-characters.ts'
import type { Finding } from '../../../lint/finding.ts'
import { levelClass } from '../parts/level.tsx'
import { FindingList } from './finding-list.tsx'
import { type Block, type SourcePiece, type SourceLine, sourceOf } from './source.ts'

interface SourceViewProps {
  prefix: string
  text: string
  findings: readonly Finding[]
}

/** A file with line numbers, each finding below its line. */
export function SourceView({ prefix, text, findings }: SourceViewProps) {
  const { blocks, elsewhere, hidden } = sourceOf(text, findings)
  return (
    <>
      {elsewhere.length > 0 && (
        <div class="source">
          <FindingList prefix={prefix} findings={elsewhere} withLines />
        </div>
      )}
      <div class="source">
        {blocks.map((block) => (
          <Lines prefix={prefix} block={block} />
        ))}
      </div>
      {hidden > 0 && <p class="faint">{hidden.toLocaleString('en-US')} more lines</p>}
    </>
  )
}

function Lines({ prefix, block: { folded, lines } }: { prefix: string; block: Block }) {
  const shown = lines.map((line) => <Line prefix={prefix} line={line} />)
  if (!folded) return <>{shown}</>
  const [first, last] = [lines[0]?.number, lines.at(-1)?.number]
  return (
    <details>
      <summary class="faint">
        Lines {first} to {last}
      </summary>
      {shown}
    </details>
  )
}

function Line({ prefix, line }: { prefix: string; line: SourceLine }) {
  const { number, pieces, cut, findings } = line
  return (
    <>
      <div class="line" id={`L${number}`}>
        <span class="number">
          <span class="unseen">Line </span>
          {number}
        </span>
        <code class="text">
          {pieces.map(Stretch)}
          {cut > 0 && <em class="cut"> … {cut.toLocaleString('en-US')} more characters</em>}
        </code>
      </div>
      {findings.length > 0 && <FindingList prefix={prefix} findings={findings} />}
    </>
  )
}

function Stretch({ text, level }: SourcePiece) {
  // Tabs are normal in a file; all other invisible characters are escaped.
  const shown = text.split('\t').map(visible).join('\t')
  return level === null ? <>{shown}</> : <mark class={levelClass(level)}>{shown}</mark>
}
