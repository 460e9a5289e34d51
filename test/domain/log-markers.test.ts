import { expect, test } from 'vitest'
import * as markers from '../../src/domain/log/log-markers.ts'

const { clearLine, foldMarker, timeEndMarker, timeStartMarker, timeStats } = markers

// Logs that are stored have them, so they never change.
test('the format of the markers has not changed', () => {
  const stats = timeStats({ start: '1', finish: '3', duration: '2', event: 'script' })
  expect([
    foldMarker('start', 'install'),
    foldMarker('end', 'install'),
    timeStartMarker('0a1b2c3d'),
    timeEndMarker('0a1b2c3d', stats),
    clearLine,
  ]).toEqual([
    'service_fold:start:install',
    'service_fold:end:install',
    'service_time:start:0a1b2c3d',
    'service_time:end:0a1b2c3d:start=1,finish=3,duration=2,event=script',
    '\r\u001B[0K',
  ])
})
