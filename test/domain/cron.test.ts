import { describe, expect, test } from 'vitest'
import { type CronPlan, firstRun, nextRun } from '../../src/domain/cron.ts'

const at = (text: string) => new Date(text)

function plan(given: Partial<CronPlan> & { planned_at: Date }): CronPlan {
  return { interval: 'daily', start_at: null, timezone: 'UTC', ...given }
}

/** The following runs, each computed some seconds after the previous one was due. */
function runs(cron: CronPlan, count: number, lateness = 45): string[] {
  let last = cron.planned_at
  return Array.from({ length: count }, () => {
    last = nextRun(cron, new Date(last.getTime() + lateness * 1000))
    return last.toISOString().slice(0, 16)
  })
}

describe('the first run', () => {
  test('is a minute after the cron was created', () => {
    const now = at('2026-01-02T12:00:30.700Z')
    expect(firstRun({ start_at: null, timezone: 'UTC' }, now)).toEqual(at('2026-01-02T12:01:30Z'))
  })

  test.each([
    ['12:30', 'UTC', '2026-01-02T12:30:00Z'],
    ['12:00', 'UTC', '2026-01-03T12:00:00Z'],
    ['11:59', 'UTC', '2026-01-03T11:59:00Z'],
    ['13:30', 'Europe/Berlin', '2026-01-02T12:30:00Z'],
    ['00:10', 'Asia/Tokyo', '2026-01-02T15:10:00Z'],
    ['23:50', 'America/Los_Angeles', '2026-01-03T07:50:00Z'],
  ])('with a start time is the next %s in %s', (start_at, timezone, expected) => {
    const now = at('2026-01-02T12:00:00Z')
    expect(firstRun({ start_at, timezone }, now)).toEqual(at(expected))
  })
})

describe('the next run', () => {
  test('does not drift, however late earlier runs were', () => {
    const cron = plan({ planned_at: at('2026-01-02T12:01:30Z') })
    expect(runs(cron, 3, 3600)).toEqual([
      '2026-01-03T12:01',
      '2026-01-04T12:01',
      '2026-01-05T12:01',
    ])
  })

  test('is in the future, however long the scheduler was stopped', () => {
    const planned_at = at('2024-02-29T04:00:00Z')
    const after = at('2026-03-01T04:00:00Z')
    const next = (interval: CronPlan['interval']) => nextRun(plan({ planned_at, interval }), after)
    expect(next('daily')).toEqual(at('2026-03-02T04:00:00Z'))
    expect(next('weekly')).toEqual(at('2026-03-05T04:00:00Z'))
    expect(next('monthly')).toEqual(at('2026-03-29T04:00:00Z'))
  })

  test('of a shorter month is on its last day, and later runs are on the original day again', () => {
    const cron = plan({ planned_at: at('2026-01-31T10:00:00Z'), interval: 'monthly' })
    expect(runs(cron, 4)).toEqual([
      '2026-02-28T10:00',
      '2026-03-31T10:00',
      '2026-04-30T10:00',
      '2026-05-31T10:00',
    ])
  })

  test('stays at the same local time when summer time begins and ends', () => {
    const cron = plan({
      planned_at: at('2026-03-27T05:00:00Z'),
      start_at: '06:00',
      timezone: 'Europe/Berlin',
    })
    expect(runs(cron, 3)).toEqual(['2026-03-28T05:00', '2026-03-29T04:00', '2026-03-30T04:00'])
    const autumn = plan({ ...cron, planned_at: at('2026-10-23T04:00:00Z') })
    expect(runs(autumn, 3)).toEqual(['2026-10-24T04:00', '2026-10-25T05:00', '2026-10-26T05:00'])
  })

  test('is an hour later if its time is skipped, and runs once if its time occurs twice', () => {
    const spring = plan({
      planned_at: at('2026-03-28T01:30:00Z'),
      start_at: '02:30',
      timezone: 'Europe/Berlin',
    })
    expect(runs(spring, 2)).toEqual(['2026-03-29T01:30', '2026-03-30T00:30'])
    // Even if that is the first run.
    const planned_at = at('2026-03-29T01:30:00Z')
    expect(runs({ ...spring, planned_at }, 1)).toEqual(['2026-03-30T00:30'])
    const autumn = plan({ ...spring, planned_at: at('2026-10-24T00:30:00Z') })
    expect(runs(autumn, 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
  })

  test.each(['America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC'])(
    'is once a day throughout the year in %s',
    (timezone) => {
      const first = firstRun({ start_at: '02:15', timezone }, at('2026-01-01T00:00:00Z'))
      const all = runs(plan({ planned_at: first, start_at: '02:15', timezone }), 365)
      const clock = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })
      const days = all.map((text) => clock.format(at(`${text}:00Z`)))
      expect(new Set(days).size).toBe(365)
    },
  )
})
