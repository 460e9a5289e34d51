import { get } from '../../core/endpoint.ts'
import { asPage } from '../as-page.tsx'
import { DocsPage } from './page.tsx'

const show = asPage(DocsPage)

export const docsPages = [get('/docs', { open: true, answer: (call) => show({}, call) })]
