import { expect, test } from 'vitest'
import { cutAtMarkers } from '../../src/terminal/marker.ts'

const clear = '\r\u001B[0K'

test.each([
  ['plain', [{ text: 'plain', marker: null }]],
  ['', [{ text: '', marker: null }]],
  ['service_fold: nothing', [{ text: 'service_fold: nothing', marker: null }]],
  ['service_fold:begin:a', [{ text: 'service_fold:begin:a', marker: null }]],
  [
    `service_fold:start:git.checkout${clear}$ git clone`,
    [
      { text: '', marker: { kind: 'fold_start', name: 'git.checkout' } },
      { text: '$ git clone', marker: null },
    ],
  ],
  [
    `output without an end of line service_fold:end:cache-1${clear}`,
    [
      { text: 'output without an end of line ', marker: { kind: 'fold_end', name: 'cache-1' } },
      { text: '', marker: null },
    ],
  ],
  [
    `service_time:start:0a1b2c3d${clear}$ make`,
    [
      { text: '', marker: { kind: 'time_start', id: '0a1b2c3d' } },
      { text: '$ make', marker: null },
    ],
  ],
  [
    `service_time:end:0a1b2c3d:start=1,finish=2,duration=1500000000,event=script${clear}`,
    [
      { text: '', marker: { kind: 'time_end', id: '0a1b2c3d', seconds: 1.5 } },
      { text: '', marker: null },
    ],
  ],
  [
    'service_time:end:0a:duration=many',
    [
      { text: '', marker: { kind: 'time_end', id: '0a', seconds: null } },
      { text: '', marker: null },
    ],
  ],
  ['service_fold:start:<b>', [{ text: 'service_fold:start:<b>', marker: null }]],
] as const)('%j is cut at its markers', (line, pieces) => {
  expect(cutAtMarkers(line, 100)).toEqual(pieces)
})

test('markers beyond the maximum in a line stay in its text', () => {
  expect(cutAtMarkers('service_fold:end:a service_fold:end:b', 1)).toEqual([
    { text: '', marker: { kind: 'fold_end', name: 'a' } },
    { text: ' service_fold:end:b', marker: null },
  ])
})
