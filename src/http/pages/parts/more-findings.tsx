import type { ComponentChildren } from 'preact'
import { plural } from '../../../lint/counts.ts'

/** No one reads more findings at once. */
export const mostFindings = 300

interface MoreFindingsProps {
  /** How many there are. */
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
