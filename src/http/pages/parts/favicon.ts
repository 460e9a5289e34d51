import type { JobState } from '../../../domain/job/job.ts'

// A data address cannot read the style sheet; these tones stand out on light and dark tabs.
const tones: Record<JobState, string> = {
  created: '#c08a1e',
  queued: '#c08a1e',
  received: '#c08a1e',
  started: '#3b82e0',
  passed: '#2e9e4f',
  failed: '#e0444b',
  errored: '#b548b8',
  canceled: '#7b8794',
}

const marks: Record<JobState, string> = {
  created: 'M8 4.5V8l2.5 1.5',
  queued: 'M8 4.5V8l2.5 1.5',
  received: 'M8 4.5V8l2.5 1.5',
  started: 'M6.5 5v6l4.5-3z',
  passed: 'M4.5 8.5 7 11l4.5-5.5',
  failed: 'M5.5 5.5l5 5m0-5-5 5',
  errored: 'M8 4.2v4.6m0 2.6v.4',
  canceled: 'M5 8h6',
}

/** The icon in the browser's tab: the state, or the service's own icon. */
export function favicon(state?: JobState): string {
  const tone = state ? tones[state] : '#4653c6'
  const mark = state ? marks[state] : 'M4.5 5 7.5 8l-3 3m4.5 0h3'
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">` +
    `<rect width="16" height="16" rx="4" fill="${tone}"/>` +
    `<path d="${mark}" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round" ` +
    `stroke-linejoin="round"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
