import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'

export interface FakeMailServer {
  url: string
  /** What it took, with who it was for. */
  mails: { to: string[]; text: string }[]
  /** What it says to a recipient. */
  reply: string
  close(): void
}

/** A mail server that takes everything and sends nothing on. */
export async function fakeMailServer(): Promise<FakeMailServer> {
  const server: Server = createServer((socket) => void converse(socket, mailServer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const mailServer: FakeMailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [],
    reply: '250 ok',
    close: () => void server.close(),
  }
  return mailServer
}

async function converse(socket: Socket, server: FakeMailServer): Promise<void> {
  socket.on('error', () => socket.destroy())
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 fake')
  let to: string[] = []
  let data: string[] | undefined
  for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
    if (data) {
      if (line !== '.') {
        data.push(line)
        continue
      }
      server.mails.push({ to, text: data.join('\n') })
      data = undefined
      to = []
      say('250 taken')
    } else if (/^RCPT TO:/i.test(line)) {
      to.push(/<(.*)>/.exec(line)?.[1] ?? '')
      say(server.reply)
    } else if (/^DATA/i.test(line)) {
      data = []
      say('354 go on')
    } else if (/^QUIT/i.test(line)) {
      say('221 bye')
      socket.end()
    } else {
      say('250 ok')
    }
  }
}
