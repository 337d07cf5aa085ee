-- CMS geographic practice cost indices (Addendum E): read as it is published.
return {
  summary = 'price levels of the localities of the fee schedule',
  columns = {
    { name = 'mac', type = 'text', may_be_empty = true, headers = { 'Medicare Administrative Contractor (MAC)' } },
    { name = 'state', type = 'word' },
    { name = 'locality', type = 'word', headers = { 'Locality Number' } },
    { name = 'name', type = 'text', may_be_empty = true, headers = { 'Locality Name' } },
    { name = 'work', type = 'decimal', min = 0, max = 9.999, headers = { 'PW GPCI (with 1.0 Floor)', 'PW GPCI', 'PW GPCI (without 1.0 Floor)' } },
    { name = 'pe', type = 'decimal', min = 0, max = 9.999, headers = { 'PE GPCI' } },
    { name = 'mp', type = 'decimal', min = 0, max = 9.999, headers = { 'MP GPCI' } },
  },
  key = { 'state', 'locality' },
}
