import type { ComponentChildren } from 'preact'
import { plural } from '../../../lint/counts.ts'

/** More findings at once are not useful on a page. */
export const mostFindings = 300

interface MoreFindingsProps {
  /** The number of findings. */
  count: number
  /** How to see all findings. */
  children?: ComponentChildren
}

/** Says how many findings are not shown, if any. */
export function MoreFindings({ count, children }: MoreFindingsProps) {
  if (count <= mostFindings) return null
  return (
    <p class="faint">
      {plural(count - mostFindings, 'more finding')}: fix these first{children}
    </p>
  )
}
