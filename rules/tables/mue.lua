-- CMS medically unlikely edits. indicator: 1 counts one line, 2 (policy) and 3 (clinical) the day of service.
return {
  summary = 'most units of a procedure that one patient has on one day',
  columns = {
    { name = 'code', type = 'code', headers = { 'HCPCS/CPT Code' } },
    { name = 'units', type = 'integer', min = 0, max = 1000000, headers = { 'Practitioner Services MUE Values', 'DME Supplier Services MUE Values', 'MUE Value' } },
    { name = 'indicator', type = 'word', headers = { 'MUE Adjudication Indicator' } },
  },
  key = { 'code' },
}
