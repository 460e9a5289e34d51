import { expect, test } from 'vitest'
import { bodyOf, subjectOf } from '../../../../src/http/pages/parts/commit-text.tsx'

test.each([
  ['Subject', 'Subject', ''],
  ['\n\nSubject  \n\nBody\nof two lines\n', 'Subject', 'Body\nof two lines'],
  ['Subject\r\n\r\nBody', 'Subject', 'Body'],
  ['', '(no message)', ''],
  [' \n ', '(no message)', ''],
  ['x'.repeat(200), 'x'.repeat(200), ''],
  ['x'.repeat(201), `${'x'.repeat(199)}…`, 'x'.repeat(201)],
  [`${'x'.repeat(198)}😀😀`, `${'x'.repeat(198)}…`, `${'x'.repeat(198)}😀😀`],
])('the message %j has the subject %j and the body %j', (message, subject, body) => {
  expect([subjectOf({ message }), bodyOf({ message })]).toEqual([subject, body])
})
