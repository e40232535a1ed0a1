# Prints what BioPerl reads in a report of format 0, as a line of JSON for each result.
use strict;
use warnings;
use Bio::SearchIO;
use JSON::PP;

my $json = JSON::PP->new->canonical;
my $report = Bio::SearchIO->new(-format => 'blast', -file => $ARGV[0]);
while (my $result = $report->next_result) {
    my @hits;
    while (my $hit = $result->next_hit) {
        my @alignments;
        while (my $hsp = $hit->next_hsp) {
            push @alignments, {
                score => $hsp->score, bits => $hsp->bits, evalue => $hsp->evalue, length => $hsp->length("total") + 0,
                identical => $hsp->num_identical + 0, positive => $hsp->num_conserved + 0, gaps => $hsp->gaps + 0,
                query => [map { $_ + 0 } $hsp->range("query")], hit => [map { $_ + 0 } $hsp->range("hit")],
                strand => $hsp->strand("hit") + 0, query_row => $hsp->query_string, middle => $hsp->homology_string,
                hit_row => $hsp->hit_string,
            };
        }
        push @hits, {
            name => $hit->name, description => $hit->description, length => $hit->length + 0,
            evalue => $hit->significance, alignments => \@alignments,
        };
    }
    my %statistics = map { $_ => $result->get_statistic($_) } $result->available_statistics;
    my %parameters = map { $_ => $result->get_parameter($_) } $result->available_parameters;
    print $json->encode({
        algorithm => $result->algorithm, version => $result->algorithm_version, query => $result->query_name,
        description => $result->query_description, length => $result->query_length + 0,
        database => $result->database_name, statistics => \%statistics, parameters => \%parameters, hits => \@hits,
    }), "\n";
}
