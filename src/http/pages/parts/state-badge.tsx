import type { JobState } from '../../../domain/job/job.ts'

export const stateLabels: Record<JobState, string> = {
  created: 'Waiting',
  queued: 'Queued',
  received: 'Starting',
  started: 'Running',
  passed: 'Passed',
  failed: 'Failed',
  errored: 'Errored',
  canceled: 'Canceled',
}

/** Each state has its own outline, so that states never differ only in colour. */
const shapes: Record<JobState, string> = {
  created: 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM8 4.75V8l2.25 1.5',
  queued: 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM5 8h.01M8 8h.01M11 8h.01',
  received: 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM8 11V5.25M5.5 7.5 8 5l2.5 2.5',
  started: 'M14.25 8A6.25 6.25 0 1 1 8 1.75',
  passed: 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM5.25 8.25 7.25 10.25 11 6',
  failed: 'M5.25 1.75h5.5l3.5 3.5v5.5l-3.5 3.5h-5.5l-3.5-3.5v-5.5zM6 6l4 4m0-4-4 4',
  errored: 'M8 1.75 14.75 13.75H1.25zM8 6.25v3.25M8 11.75h.01',
  canceled: 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM3.75 12.25l8.5-8.5',
}

/** Class that gives an element the colour of a state. */
export function stateClass(state: JobState): string {
  return `state-${state}`
}

/** Shape, colour and word of a state. */
export function StateBadge({ state }: { state: JobState }) {
  return <Badge shape={shapes[state]} label={stateLabels[state]} tone={stateClass(state)} />
}

const plainShapes = {
  open: shapes.queued,
  rejected: 'M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM5 8h6',
  accepted: shapes.passed,
  none: 'M5 8h6',
}

/** A badge for records without a state. */
export function PlainBadge({ shape, label }: { shape: keyof typeof plainShapes; label: string }) {
  return <Badge shape={plainShapes[shape]} label={label} />
}

function Badge({ shape, label, tone }: { shape: string; label: string; tone?: string }) {
  return (
    <span class={tone === undefined ? 'badge' : `badge ${tone}`}>
      <svg class="shape" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={shape} />
      </svg>
      <span class="label">{label}</span>
    </span>
  )
}
