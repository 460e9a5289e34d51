// A bare WebSocket server: what it is told, it sends to all of its clients.
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { answer, closeAtLast, tell } from '../harness/parent.ts'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
let number = 0

answer({
  append(content: string) {
    const sent = Number(process.hrtime.bigint())
    const data = JSON.stringify({ number, content, final: false })
    number += 1
    const text = JSON.stringify({ event: 'job:log', data })
    for (const client of server.clients) client.send(text)
    return sent
  },
})
closeAtLast(async () => {
  for (const client of server.clients) client.terminate()
  server.close()
})
server.on('listening', () => {
  tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
