import type { JobState } from '../../../domain/job/job.ts'
import type { MessageLevel } from '../../../domain/request/request.ts'
import { stateClass } from './state-badge.tsx'

const labels: Record<MessageLevel, string> = {
  alert: 'Alert',
  error: 'Error',
  warn: 'Warning',
  info: 'Note',
}

/** Each level is drawn in the colour of a state. */
const states: Record<MessageLevel, JobState> = {
  alert: 'failed',
  error: 'failed',
  warn: 'created',
  info: 'started',
}

/** Class that gives an element the colour of a level. */
export function levelClass(level: MessageLevel): string {
  return stateClass(states[level])
}

/** The level of a finding, as a word. */
export function Level({ level }: { level: MessageLevel }) {
  return <span class={`level ${levelClass(level)}`}>{labels[level]}</span>
}
