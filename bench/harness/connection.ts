import { connect, type Socket } from 'node:net'

/** A kept-alive HTTP connection that takes finished bytes, so that asking costs next to nothing. */
export interface Connection {
  /** Sends a request and returns the status. One at a time; rejects when the connection breaks. */
  ask(request: Buffer): Promise<number>
  close(): void
}

interface Waiting {
  resolve(status: number): void
  reject(error: Error): void
}

export async function openConnection(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await connected(socket)

  let waiting: Waiting | undefined
  let received = ''

  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    const answer = readAnswer(received)
    if (!answer) return
    received = received.slice(answer.length)
    waiting?.resolve(answer.status)
    waiting = undefined
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error(`${url} closed the connection`)))

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
}

/** Status and length of the response at the beginning of the text, once it is complete. */
function readAnswer(text: string): { status: number; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return
  const head = text.slice(0, end)
  const body = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? '0'
  const length = end + 4 + Number(body)
  if (text.length < length) return
  return { status: Number(head.slice(9, 12)), length }
}
