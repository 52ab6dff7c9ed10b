// select
