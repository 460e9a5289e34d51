import { get } from '../endpoint.ts'
import { home } from './home.ts'
import { actions } from './resources/index.ts'

/** Every endpoint of V3. */
export const v3Endpoints = [
  get('/', { open: true, answer: home }),
  ...actions.map(({ endpoint }) => endpoint),
]
