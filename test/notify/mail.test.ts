import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Mail, openMailer } from '../../src/notify/mail.ts'
import { type FakeMailServer, fakeMailServer } from '../support/smtp.ts'

let server: FakeMailServer
beforeAll(async () => {
  server = await fakeMailServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.mails.length = 0
  server.reply = '250 ok'
})

const mail: Mail = {
  from: 'Builds <ci@example.org>',
  to: 'anna@example.org',
  subject: 'Fixed: octavia/hello#7 (main - abc1234)',
  text: 'The build was fixed.\n',
  messageId: '<a@ci.example.org>',
  inReplyTo: '<b@ci.example.org>',
  headers: {
    'Service-Result': 'passed',
    'List-Unsubscribe': '<https://ci.example.org/unsubscribe/x>',
  },
}

test('a mail arrives with its headers', async () => {
  await openMailer(server.url)(mail)
  const [{ to, text } = { to: [], text: '' }] = server.mails
  expect(to).toEqual(['anna@example.org'])
  for (const line of [
    'From: Builds <ci@example.org>',
    'To: anna@example.org',
    'Subject: Fixed: octavia/hello#7 (main - abc1234)',
    'Message-ID: <a@ci.example.org>',
    'In-Reply-To: <b@ci.example.org>',
    'Service-Result: passed',
    'List-Unsubscribe: <https://ci.example.org/unsubscribe/x>',
    'The build was fixed.',
  ]) {
    expect(text.split('\n')).toContain(line)
  }
})

test('a line break in a subject adds no header', async () => {
  await openMailer(server.url)({ ...mail, subject: 'a\r\nBcc: eve@example.org' })
  expect(server.mails[0]?.to).toEqual(['anna@example.org'])
  expect(server.mails[0]?.text.split('\n').some((line) => line.startsWith('Bcc'))).toBe(false)
})

test('an address that contains further addresses is not sent to those', async () => {
  await openMailer(server.url)({ ...mail, to: 'anna@example.org, eve@example.org' }).catch(() => {})
  expect(server.mails.flatMap(({ to }) => to)).not.toContain('eve@example.org')
})

test.each([
  ['550 no such user', false],
  ['451 try again later', true],
])('a mail that the server rejects with "%s" is retried: %s', async (reply, temporary) => {
  server.reply = reply
  await expect(openMailer(server.url)(mail)).rejects.toMatchObject({
    temporary,
    message: `the mail server rejected the message (it responded ${reply.slice(0, 3)})`,
  })
})

test('a mail is retried when the server is unreachable', async () => {
  await expect(openMailer('smtp://127.0.0.1:1')(mail)).rejects.toMatchObject({ temporary: true })
})
