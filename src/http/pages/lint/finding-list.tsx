import { visible } from '../../../domain/text/escape-control-characters.ts'
import type { Finding } from '../../../lint/finding.ts'
import { Level, levelClass } from '../parts/level.tsx'
import { codePath } from '../paths.ts'
import { fixNameOf } from './check.ts'

interface FindingListProps {
  prefix: string
  findings: readonly Finding[]
  /** Whether to show line numbers, for findings that are not shown at their line. */
  withLines?: boolean
}

/** Findings, each with its level, its message, a link to its page, and a button for its fix. */
export function FindingList({ prefix, findings, withLines = false }: FindingListProps) {
  return (
    <ul class="findings">
      {findings.map((finding) => (
        <li class={levelClass(finding.level)}>
          <Level level={finding.level} />
          <span>
            {visible(finding.message)}{' '}
            <span class="faint">
              {withLines && finding.line !== null && `line ${finding.line} · `}
              <a href={codePath(prefix, finding.code)}>
                <code>{finding.code}</code>
              </a>
            </span>
            {finding.fix && (
              <button class="fix" name="fix" value={fixNameOf(finding)}>
                Fix: {visible(finding.fix.title)}
                {!finding.fix.safe && ' (changes what the jobs do)'}
              </button>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
