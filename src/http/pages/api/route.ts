import { get } from '../../core/endpoint.ts'
import { v2Endpoints } from '../../v2/endpoints/index.ts'
import { openApi } from '../../v2/openapi/document.ts'
import { asPage } from '../as-page.tsx'
import { ApiPage } from './page.tsx'

const show = asPage(ApiPage)

export const apiPages = [
  get('/docs/v2.1', {
    open: true,
    answer: (call) => show({ document: openApi(v2Endpoints, call.ctx.site) }, call),
  }),
]
