import { walkV2 } from './walk-v2.js'
import { walkV3 } from './walk-v3.js'

declare const process: { argv: string[] }

const [, , generation = '', base = '', token = ''] = process.argv
const seen = generation === 'v3' ? await walkV3(base, token) : await walkV2(base, token)
console.log(JSON.stringify(seen))
