import { expect, test } from 'vitest'
import * as endings from '../../src/texts/log-endings.ts'

const red = (text: string) => `\u001B[31;1m${text}\u001B[0m`

test.each([
  [endings.exitedWith('2'), '\nDone. The exit code of the job is 2.\n'],
  [
    endings.noUsableConfig('It cannot be read.', 'parse'),
    `${red('It cannot be read.')}\r\n\r\n` +
      'Fix the file and push again; check it first with: build-service lint\r\n',
  ],
  [
    endings.couldNotFetch('it is gone'),
    `${red(
      'The commit cannot be fetched: it is gone. ' +
        'Nothing was run; restart the job when that is fixed.',
    )}\r\n`,
  ],
  [
    endings.neverEnded(4, 'its runner was lost'),
    `\r\n${red(
      'The job was started 4 times and never finished: its runner was lost. ' +
        'It will not be retried automatically. Restart the job once the cause is fixed.',
    )}\r\n`,
  ],
  [
    endings.wasKilled('SIGKILL', 137),
    `\u001B[0m\r\n\r\n${red(
      'The job was ended by SIGKILL (exit code 137) before it finished.',
    )}\r\nIts shell was killed: by a command of the job itself, such as kill or pkill, or by the ` +
      'machine, which does so when it runs out of memory.\r\n',
  ],
  [
    endings.wasCanceled('canceled by octavia'),
    `\u001B[0m\r\n\r\n${red('The job was canceled by octavia.')}\r\n`,
  ],
  [
    endings.neverRan('canceled by octavia'),
    `${red('The job never ran: it was canceled by octavia.')}\r\n`,
  ],
  [
    endings.wasLost('its runner was lost'),
    `\u001B[0m\r\n\r\n${red('This attempt was lost: its runner was lost. The job is run again.')}\r\n`,
  ],
  [
    endings.couldNotStart('no\nspace'),
    `\u001B[0m\r\n\r\n${red('The job could not be started.')}\r\nno\r\nspace\r\n`,
  ],
])('a log can end with %j', (ending, text) => {
  expect(ending).toBe(text)
})
